//! The figures that the paper prints, as files of this crate.

/// Error rates in percent, a row per subject.
pub const EEG_ERROR: &str = include_str!("../paper/eeg_error_rate.csv");
/// Areas under the ROC curve in percent.
pub const EEG_AUC: &str = include_str!("../paper/eeg_auc.csv");
/// Kappa in percent, and half the width of PFCVM_LP's interval.
pub const EEG_KAPPA: &str = include_str!("../paper/eeg_kappa.csv");
/// Leave-one-out accuracies in percent.
pub const GENE_ACCURACY: &str = include_str!("../paper/gene_accuracy.csv");
/// The genes selected most often.
pub const GENE_FEATURES: &str = include_str!("../paper/gene_features.csv");
/// Stability of selections on the waveforms.
pub const WAVEFORM_STABILITY: &str = include_str!("../paper/waveform_stability.csv");

/// Accuracy in percent that the paper reports for SVM on the nine features selected by PFCVM_LP
/// in more than half of the splits.
pub const WAVEFORM_SVM_ON_SELECTED: f64 = 92.12;

/// A printed table: a name in the first column, then texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// The columns after the first.
    pub columns: Vec<String>,
    /// The first column with the others.
    pub rows: Vec<(String, Vec<String>)>,
}

impl Printed {
    /// Reads one of the files above, which are part of the program.
    pub fn of(text: &str) -> Self {
        let mut lines = text.lines().map(|line| line.split(',').map(str::to_string));
        let columns = lines.next().into_iter().flatten().skip(1).collect();
        let rows = lines.filter_map(|mut cells| Some((cells.next()?, cells.collect()))).collect();
        Self { columns, rows }
    }

    /// A number by the names of its row and column.
    pub fn number(&self, row: &str, column: &str) -> Option<f64> {
        let at = self.columns.iter().position(|name| name == column)?;
        let (_, cells) = self.rows.iter().find(|(name, _)| name == row)?;
        cells.get(at)?.parse().ok()
    }

    /// All numbers of some columns, row by row.
    pub fn numbers(&self, columns: &[&str]) -> Vec<Vec<Option<f64>>> {
        let row = |name: &str| columns.iter().map(|column| self.number(name, column)).collect();
        self.rows.iter().map(|(name, _)| row(name)).collect()
    }
}

/// The paper's name of a method.
pub fn name_of(method: &str) -> &str {
    match method {
        "pfcvm-lp" => "PFCVM_LP",
        "pfcvm-em" => "PFCVM_EM",
        "wsvm" => "WSVM",
        "jcfo" => "JCFO",
        "svm" => "SVM",
        "smpm" => "SMPM",
        "rvm" => "RVM",
        "pcvm" => "PCVM",
        "l1svm" => "L1SVM",
        "mrmr+pcvm" => "mRMR",
        "trc+pcvm" => "TRC",
        "fsnm+pcvm" => "FSNM",
        "pfcvm-lp+rvm" => "RVM_on_PFCVM_LP_features",
        "pfcvm-lp+svm" => "SVM_on_PFCVM_LP_features",
        "pfcvm-lp+smpm" => "SMPM_on_PFCVM_LP_features",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfcvm_eval::Better;
    use pfcvm_study::Ranking;

    #[test]
    fn printed_figures_are_found() {
        let stability = Printed::of(WAVEFORM_STABILITY);
        assert_eq!(stability.number("jaccard", "PFCVM_LP"), Some(0.556));
        assert_eq!(stability.number("pearson", "JCFO_sd"), Some(0.017));
        let genes = Printed::of(GENE_ACCURACY);
        assert_eq!(genes.number("SVM_on_PFCVM_LP_features", "duke"), Some(97.62));
        assert_eq!(Printed::of(EEG_ERROR).rows.len(), 14);
    }

    /// The six methods of the paper's Friedman test: ranks and critical differences as its text and
    /// ours have them.
    #[test]
    fn ranks_of_the_printed_errors() {
        let methods = ["PCVM", "TRC", "FSNM", "PFCVM_EM", "JCFO", "PFCVM_LP"];
        let names = methods.map(String::from);
        let scores = Printed::of(EEG_ERROR).numbers(&methods);
        let ranking = Ranking::of(&names, &scores, Better::Lower, 0.05).unwrap();
        assert!((ranking.bonferroni_dunn - 1.821).abs() < 5e-4, "{}", ranking.bonferroni_dunn);
        assert!((ranking.nemenyi - 2.015).abs() < 5e-4, "{}", ranking.nemenyi);
        assert!((ranking.friedman.chi_square - 17.863).abs() < 5e-3);
        let ours = ranking.friedman.average_ranks[5];
        let beaten =
            (0..5).filter(|&at| ranking.friedman.average_ranks[at] - ours > ranking.nemenyi);
        assert_eq!(Vec::from_iter(beaten.map(|at| methods[at])), ["PCVM", "TRC", "FSNM"]);
    }
}
