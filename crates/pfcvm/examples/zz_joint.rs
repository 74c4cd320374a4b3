//! Trial.
#![allow(missing_docs, clippy::all)]
use pfcvm::multiclass::{self, Dataset, Scheme};
use pfcvm::{Kernel, Matrix, SamplePolicy, Settings, settings::CertaintyPolicy};
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let configs: Vec<&str> = args[0].split(',').collect();
    for name in &args[1..] {
        let text = std::fs::read_to_string(format!("/tmp/joint/{name}.txt")).unwrap();
        let mut lines = text.lines();
        let head: Vec<usize> =
            lines.next().unwrap().split(' ').map(|v| v.parse().unwrap()).collect();
        let (n, m, k) = (head[0], head[1], head[2]);
        let rows: Vec<Vec<f64>> =
            lines.map(|l| l.split(' ').map(|v| v.parse().unwrap()).collect()).collect();
        let x = Matrix::from_fn(n, m, |i, j| rows[i][j + 2]);
        let codes: Vec<usize> = rows.iter().map(|r| r[1] as usize).collect();
        let fold: Vec<usize> = rows.iter().map(|r| r[0] as usize).collect();
        let names: Vec<String> = (0..k).map(|c| c.to_string()).collect();
        let data = Dataset::new(x.clone(), codes.clone(), names).unwrap();
        for config in &configs {
            let parts: Vec<&str> = config.split('-').collect();
            let scheme = match parts[0] {
                "j" => Scheme::Joint,
                "o" => Scheme::OneVsOne,
                _ => Scheme::OneVsRest,
            };
            let kernel = match parts[1] {
                "rbf" => Kernel::Rbf,
                "lin" => Kernel::Linear,
                _ => Kernel::Polynomial { degree: 2 },
            };
            let mut settings = Settings::new(kernel);
            settings.samples = match parts[2] {
                "few" => SamplePolicy::Few,
                "frozen" => SamplePolicy::Frozen,
                _ => SamplePolicy::Dense,
            };
            settings.certainty = match parts[3] {
                "on" => CertaintyPolicy::On,
                _ => CertaintyPolicy::Off,
            };
            if let Some(p) = parts.get(4) {
                settings.false_positive_rate = p.parse().unwrap();
            }
            let clock = Instant::now();
            let mut byc = [0.0f64; 6];
            let mut plain = 0.0;
            let mut meanv = 0.0;
            let mut meanf = 0.0;
            let (mut loss, mut hits, mut features, mut samples) = (0.0, 0.0, 0.0, 0.0);
            let mut iterations = 0;
            for part in 0..5 {
                let train: Vec<usize> = (0..n).filter(|&i| fold[i] != part).collect();
                let test: Vec<usize> = (0..n).filter(|&i| fold[i] == part).collect();
                let fitted =
                    multiclass::fit(&data.select(&train).unwrap(), scheme, &settings).unwrap();
                let said = fitted.predict(&x.select_rows(&test)).unwrap();
                for (at, &i) in test.iter().enumerate() {
                    if said.decision.cols() == k {
                        let f: Vec<f64> = (0..k).map(|c| said.decision.get(at, c)).collect();
                        let l = f.iter().cloned().fold(f64::MIN, f64::max);
                        let s: f64 = f.iter().map(|v| (v - l).exp()).sum();
                        plain -= (f[codes[i]] - l - s.ln()).max(-13.8) / n as f64;
                        let v = said.variance.as_ref().unwrap();
                        meanv += (0..k).map(|c| v.get(at, c)).sum::<f64>() / (k * n) as f64;
                        for (slot, c) in [0.0, 0.05, 0.1, 0.25, 0.5, 1.0].iter().enumerate() {
                            let p: Vec<f64> = (0..k)
                                .map(|a| {
                                    1.0 / (0..k)
                                        .map(|b| {
                                            ((f[b] - f[a])
                                                / (1.0
                                                    + 0.3927 * c * (v.get(at, a) + v.get(at, b)))
                                                .sqrt())
                                            .exp()
                                        })
                                        .sum::<f64>()
                                })
                                .collect();
                            byc[slot] -=
                                (p[codes[i]] / p.iter().sum::<f64>()).max(1e-6).ln() / n as f64;
                        }
                        meanf += f[codes[i]] / n as f64;
                    }
                    loss -= said.probability.get(at, codes[i]).max(1e-6).ln() / n as f64;
                    hits += f64::from(said.class[at] == codes[i]) / n as f64;
                }
                iterations += fitted.machines().iter().map(|f| f.trace.len()).max().unwrap();
                let models = fitted.into_models();
                features += models.needed_features().len() as f64 / 5.0;
                samples += models.sample_shares().len() as f64 / 5.0;
            }
            if byc[5] > 0.0 {
                println!("    {byc:.4?}");
            }
            println!(
                "{name:14} {config:16} loss {loss:.4} plain {plain:.4} v {meanv:.2} f {meanf:.2} acc {:.1} features {features:.1}/{m} samples {samples:.1} it {iterations} {:.1} s",
                100.0 * hits,
                clock.elapsed().as_secs_f64()
            );
        }
    }
}
