package godbound
import ("testing";"fmt";"slices";"norn/lang")
func TestZZ(t *testing.T){
 words,_:=lang.Load(Game.Words)
 src:=ownSource(t)
 ids:=append(needed(t, words.In(lang.En), src), found(src, `"(godbound\.[a-z-]+\.[a-z.-]*[a-z-])"`)...)
 ids=append(ids, found(src, `Tell\("(godbound\.[a-z-]+\.[a-z.-]*[a-z-])"`)...)
 slices.Sort(ids); ids=slices.Compact(ids)
 for _,i:=range ids{fmt.Println(i)}
}
