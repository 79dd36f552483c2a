"""Asks avrae/d20 what random lines are worth, as ask.mjs asks the programs that run in Node."""

import random
import sys

lines = random.Random(int(sys.argv[1]))
dice = random.Random(int(sys.argv[1]) + 1)
faces = []


def throw(size):
    """Return a face less 1, and record the face."""
    if len(faces) > 60:
        raise ValueError("too many dice")
    faces.append(dice.randint(1, size))
    return faces[-1] - 1


random.randrange = throw
import d20  # noqa: E402


def compared(sides):
    return lines.choice(["", ">", "<", "h", "l"]) + str(lines.randint(1, sides))


def handful():
    sides = lines.choice([4, 6, 6, 6, 10, 20])
    text = lines.choice(["", "1", "2", "3", "4", "5"]) + "d" + str(sides)
    for _ in range(lines.choice([0, 1, 1, 2])):
        text += lines.choice(["k", "p", "rr", "ro", "ra", "e", "mi", "ma"]) + compared(sides)
    return text


def line():
    text = handful()
    for _ in range(lines.choice([0, 0, 1, 1, 2])):
        text += lines.choice(["+", "+", "-", "*", "/", "//"]) + lines.choice([str(lines.randint(1, 12)), handful()])
    if lines.random() < 0.2:
        text = "(" + text + ")" + lines.choice(["*2", "+1", "kh1", ">4"])
    if lines.random() < 0.25:
        text += lines.choice([" ", ""]) + lines.choice([">", ">=", "<", "<=", "==", "!="]) + str(lines.randint(1, 20))
    return text


for _ in range(int(sys.argv[2])):
    text = line()
    faces.clear()
    try:
        value = d20.roll(text).expr.number
    except Exception:  # it doesn't read the line
        continue
    print("avrae", "", text, ",".join(map(str, faces)), int(value) if value == int(value) else value, sep="\t")
