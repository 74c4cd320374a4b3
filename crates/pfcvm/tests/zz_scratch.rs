//! scratch
mod common;
use common::*;
use pfcvm::*;
use std::panic::catch_unwind;
use std::ops::ControlFlow;
fn ds(rows:&[Vec<f64>],p:&[bool])->Dataset{Dataset::new(Matrix::from_rows(rows),p.to_vec()).unwrap()}
#[test]
fn hunt(){
    let (rows,p)=two_gaussians(12,60,3,2,0.8);
    let d=ds(&rows,&p);
    for k in [Kernel::Rbf,Kernel::Linear]{for s in [SamplePolicy::Few,SamplePolicy::Frozen,SamplePolicy::Dense]{for last in [1,3,20]{
        let mut n=0; let f=fit_with(&d,&Settings{samples:s,..Settings::new(k)},&mut|_|{n+=1; if n==last{ControlFlow::Break(())}else{ControlFlow::Continue(())}}).unwrap();
        let t=f.trace.last().unwrap();
        println!("cancel {k:?} {s:?} {last}: {:?} trace {}/{} model {}/{} bias {}",f.termination,t.samples,t.features,f.model.sample_indices().len(),f.model.feature_indices().len(),f.model.bias());
    }}}
    for e in [0,1,2,3,4,5,6,7,8,9,10,12,15] { let s=10f64.powi(e); for k in [Kernel::Rbf,Kernel::Linear,Kernel::Polynomial{degree:3}]{
        let r:Vec<Vec<f64>>=rows.iter().map(|r|r.iter().map(|v|v*s).collect()).collect(); let dd=ds(&r,&p);
        for st in [Settings{standardise:false,..Settings::new(k)},Settings{standardise:false,samples:SamplePolicy::Dense,..Settings::new(k)},Settings{standardise:false,..Settings::paper(k)}] {
            let r=catch_unwind(||{let f=fit(&dd,&st).unwrap(); let pr=f.model.predict(dd.x()).unwrap(); let acc=pr.positive().iter().zip(&p).filter(|(a,b)|a==b).count();
            format!("{:?} it {} {}/{} ev {:.3} acc {acc} badtrace {:?} jit {:e}",f.termination,f.trace.len(),f.model.sample_indices().len(),f.model.feature_indices().len(),f.log_evidence,f.trace.iter().filter(|i|!i.log_evidence.is_finite()).map(|i|(i.number,i.log_evidence)).next(),f.trace.iter().map(|i|i.jitter).fold(0.0,f64::max))});
            println!("plain 1e{e} {k:?} {:?} {:?}: {}",st.truncation,st.samples,r.unwrap_or_else(|_|"PANIC".into()));
        }
    }}
}
