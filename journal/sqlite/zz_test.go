package sqlite_test
import ("testing";"norn/journal/sqlite";"norn/journal";"context";"sync";"sync/atomic";"time";"fmt")
func TestZZ(t *testing.T){
 for round:=0;round<2;round++{ for _,callers:=range []int{1,8,64,256}{
  j,_:=sqlite.Open(context.Background(),t.TempDir())
  N:=int64(3000*min(callers,8))
  var left atomic.Int64; left.Store(N)
  sqlite.Batches,sqlite.Spent=0,0
  t0:=time.Now()
  var wg sync.WaitGroup
  for i:=range callers{ wg.Go(func(){ for n:=uint64(0);left.Add(-1)>=0;n++{ _,err:=j.Append(context.Background(),fmt.Sprint("t",i),n,journal.Entry{Time:t0,Key:fmt.Sprint(n),Body:make([]byte,300)}); if err!=nil{t.Error(err)} } }) }
  wg.Wait()
  d:=time.Since(t0)
  j.Close()
  fmt.Printf("callers %d: %.0f/s, per batch %.1f, batch time %v, busy %.0f%%\n",callers,float64(N)/d.Seconds(),float64(N)/float64(sqlite.Batches),sqlite.Spent/time.Duration(sqlite.Batches),100*sqlite.Spent.Seconds()/d.Seconds())
 }}
}
