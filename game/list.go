package game

import (
	"slices"
)

// Each returns f of each item of a list.
func Each[T, R any](list []T, f func(T) R) []R {
	all := make([]R, len(list))
	for i, each := range list {
		all[i] = f(each)
	}
	return all
}

// Without returns the items of a list for which gone returns false: the list itself if it's false for
// all. So neither may be changed.
func Without[S ~[]T, T any](list S, gone func(T) bool) S {
	at := slices.IndexFunc(list, gone)
	if at < 0 {
		return slices.Clip(list)
	}
	rest := append(make(S, 0, len(list)-1), list[:at]...)
	for _, each := range list[at+1:] {
		if !gone(each) {
			rest = append(rest, each)
		}
	}
	return rest
}

// Total returns the sum of f over a list.
func Total[T any](list []T, of func(T) int) (sum int) {
	for _, each := range list {
		sum += of(each)
	}
	return sum
}

// EachAt is Each for an f that also gets the index, from 0.
func EachAt[T, R any](list []T, f func(at int, each T) R) []R {
	all := make([]R, len(list))
	for i, each := range list {
		all[i] = f(i, each)
	}
	return all
}

// Add appends items to a copy of a list. Apply must never change a list in place, since other
// sheets share it.
func Add[T any](list *[]T, items ...T) { *list = append(slices.Clone(*list), items...) }

// Drop removes the item at an index from a copy of a list, if there is one.
func Drop[T any](list *[]T, at int) {
	if at >= 0 && at < len(*list) {
		*list = slices.Delete(slices.Clone(*list), at, at+1)
	}
}

// Edit changes the item at an index in a copy of a list, if there is one.
func Edit[T any](list *[]T, at int, change func(*T)) {
	if at >= 0 && at < len(*list) {
		*list = slices.Clone(*list)
		change(&(*list)[at])
	}
}
