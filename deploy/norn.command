#!/bin/sh
# A double click in Finder runs this in a window of Terminal: closing the window stops norn.
cd "$(dirname "$0")" && exec ./norn serve --open --demo
