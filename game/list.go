package game

// Each is what f makes of each of a list.
func Each[T, R any](list []T, f func(T) R) []R {
	all := make([]R, len(list))
	for i, each := range list {
		all[i] = f(each)
	}
	return all
}

// Total adds up what each of a list comes to.
func Total[T any](list []T, of func(T) int) (sum int) {
	for _, each := range list {
		sum += of(each)
	}
	return sum
}

// EachAt is Each for an f that is told the place, from 0.
func EachAt[T, R any](list []T, f func(at int, each T) R) []R {
	all := make([]R, len(list))
	for i, each := range list {
		all[i] = f(i, each)
	}
	return all
}
