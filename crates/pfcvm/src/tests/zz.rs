//! scratch
use super::common::two_gaussians; use super::point::laplace;
use crate::linalg::*; use crate::{Matrix,Settings,Kernel}; use crate::posterior::*; use crate::state::*;
#[test]
fn zz() {
    let (rows,p)=two_gaussians(12,60,3,2,0.8);
    for (scale,th) in [(1e9,None),(1.0,Some(1e30))] {
    let x=Matrix::from_fn(60,3,|i,k|rows[i][k]*scale);
    let lik=Likelihood{signs:p.iter().map(|p|if *p{1.0}else{-1.0}).collect(),weights:vec![1.0;60]};
    let mut s=Settings{standardise:false,..Settings::new(Kernel::Rbf)}; s.start.feature_weight=th;
    let pr=Problem::new(x,lik,(0..60).collect(),&s);
    let mut w=Work::new(false);
    let mut st=State::start(&pr,(0..60).collect(),vec![0,1,2],None,&mut w);
    let stage=crate::schedule::stages(&s)[0].clone();
    for it in 0..2 {
    let o=st.iterate(&stage,&mut w).unwrap();
    println!("it {it} ev {} ll {} theta {:?} beta {:?} centre {:?} dropped {:?} w[..4] {:?} prominent {:?}",o.log_evidence,o.log_likelihood,st.weights.theta,st.weights.beta,st.weights.centre,o.dropped_features,&st.weights.w[..st.weights.w.len().min(4)],pr.prominent);
    let (a,b)=laplace(&st,&mut w); println!("  now {} {} {:?}",a.log_evidence,b.log_evidence,b.interior);
    let d=st.basis.derivative(&st.weights.w,&mut w); println!("  D nonfinite {} max {:e}",d.as_slice().iter().filter(|v|!v.is_finite()).count(),d.as_slice().iter().fold(0.0f64,|m,v|m.max(v.abs())));
    }}
}
