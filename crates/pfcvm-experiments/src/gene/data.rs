//! The gene expression sets, and what the paper does to them first.

use crate::setup::two_classes;
use crate::{Error, Setup};
use pfcvm::Matrix;
use pfcvm::multiclass::Dataset;
use pfcvm_io::generate::expression_like;

/// A set of the gene experiment.
pub(crate) struct Genes {
    /// What it is called here.
    pub name: &'static str,
    /// Its column in the paper's tables.
    pub printed: Option<&'static str>,
    /// As read.
    pub data: Dataset,
    /// The features' names.
    pub names: Vec<String>,
    /// Accession numbers, where known.
    pub genbank: Option<Vec<String>>,
    /// What it is, in words.
    pub about: &'static str,
}

/// Those sets that are there, or drawn data where none is.
pub(crate) fn load(setup: &Setup) -> Result<Vec<Genes>, Error> {
    let mut sets = Vec::new();
    if let Some((data, names)) = setup.two_classes("colon")? {
        sets.push(Genes {
            name: "colon",
            printed: Some("colon"),
            genbank: setup.side_column("colon/features.csv", "genbank")?,
            about: "62 samples of 2000 genes, tumour against normal",
            data,
            names,
        });
    }
    if let Some((data, names)) = setup.two_classes("duke")? {
        let in_subset = setup.side_column("duke/samples.csv", "in_subset42")?;
        let subset = in_subset.map(|marks| {
            (0..data.len()).filter(|&row| marks.get(row).is_some_and(|mark| mark == "1")).collect()
        });
        let subset: Vec<usize> = subset.unwrap_or_default();
        if subset.len() == 42 {
            sets.push(Genes {
                name: "duke 42",
                printed: Some("duke"),
                data: data.select(&subset)?,
                names: names.clone(),
                genbank: None,
                about: "42 samples of 7129 genes, oestrogen receptor positive against negative; \
                        which two of the 44 the paper left out is a guess",
            });
        }
        sets.push(Genes {
            name: "duke 44",
            printed: None,
            genbank: None,
            about: "the same with all 44 samples; names of genes are inferred",
            data,
            names,
        });
    }
    if let Some((data, names)) = setup.two_classes("leukemia")? {
        sets.push(Genes {
            name: "ALLAML",
            printed: Some("allaml"),
            genbank: setup.side_column("leukemia/features.csv", "genbank")?,
            about: "72 samples of 7129 genes, AML against ALL leukaemia",
            data,
            names,
        });
    }
    if sets.is_empty() {
        let table = expression_like(60, 2000, setup.seed);
        let names = table.feature_names().to_vec();
        sets.push(Genes {
            name: "drawn",
            printed: None,
            data: two_classes(table, "-1", "1")?,
            names,
            genbank: None,
            about: "60 samples of 2000 features drawn like gene expression, not the paper's data",
        });
    }
    if setup.quick {
        sets.truncate(1);
    }
    Ok(sets)
}

/// Each sample shifted and scaled to mean 0 and standard deviation 1 over its genes. It looks at
/// one sample at a time, so it may be done before rows are split.
pub(crate) fn by_sample(data: &Dataset) -> Result<Dataset, Error> {
    let x = data.x();
    let of_row = |row: usize| moments((0..x.cols()).map(|col| x.get(row, col)));
    let rows: Vec<(f64, f64)> = (0..x.rows()).map(of_row).collect();
    scaled(data, |row, _| rows[row])
}

/// The paper's preprocessing: each sample, then each gene over all samples, those to be tested
/// among them.
pub(crate) fn as_the_paper(data: &Dataset) -> Result<Dataset, Error> {
    let by_sample = by_sample(data)?;
    let columns: Vec<(f64, f64)> =
        by_sample.x().columns().map(|column| moments(column.iter().copied())).collect();
    scaled(&by_sample, |_, col| columns[col])
}

/// Every value less a mean and divided by a deviation.
fn scaled(data: &Dataset, by: impl Fn(usize, usize) -> (f64, f64)) -> Result<Dataset, Error> {
    let x = data.x();
    let value = |row: usize, col: usize| {
        let (mean, deviation) = by(row, col);
        (x.get(row, col) - mean) / deviation
    };
    let scaled = Matrix::from_fn(x.rows(), x.cols(), value);
    Ok(Dataset::new(scaled, data.codes().to_vec(), data.class_names().to_vec())?)
}

/// Mean and standard deviation, the latter 1 where nothing varies.
fn moments(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let deviation = (values.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt();
    (mean, if deviation > 0.0 { deviation } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn genes_end_with_mean_zero_and_deviation_one() {
        let table = expression_like(12, 30, 1);
        let data = two_classes(table, "-1", "1").unwrap();
        let scaled = as_the_paper(&data).unwrap();
        for column in scaled.x().columns() {
            let (mean, deviation) = moments(column.iter().copied());
            assert!(mean.abs() < 1e-12 && (deviation - 1.0).abs() < 1e-12);
        }
        let rows = by_sample(&data).unwrap();
        let first = moments((0..30).map(|col| rows.x().get(0, col)));
        assert!(first.0.abs() < 1e-12 && (first.1 - 1.0).abs() < 1e-12);
    }
}
