//! Tables with more samples than features, and recordings of the brain.

use super::{Class, DataSet, Source, UCI, file, two};
use crate::Conversion;

const IONOSPHERE_HEADER: &str = "a01,a02,a03,a04,a05,a06,a07,a08,a09,a10,a11,a12,a13,a14,a15,a16,a17,a18,a19,a20,\
     a21,a22,a23,a24,a25,a26,a27,a28,a29,a30,a31,a32,a33,a34,label";

const SONAR_HEADER: &str = "V1,V2,V3,V4,V5,V6,V7,V8,V9,V10,V11,V12,V13,V14,V15,V16,V17,V18,V19,V20,V21,V22,\
     V23,V24,V25,V26,V27,V28,V29,V30,V31,V32,V33,V34,V35,V36,V37,V38,V39,V40,V41,V42,\
     V43,V44,V45,V46,V47,V48,V49,V50,V51,V52,V53,V54,V55,V56,V57,V58,V59,V60,label";

const WDBC_HEADER: &str = "mean_radius,mean_texture,mean_perimeter,mean_area,mean_smoothness,\
     mean_compactness,mean_concavity,mean_concave_points,mean_symmetry,\
     mean_fractal_dimension,radius_error,texture_error,perimeter_error,area_error,\
     smoothness_error,compactness_error,concavity_error,concave_points_error,\
     symmetry_error,fractal_dimension_error,worst_radius,worst_texture,\
     worst_perimeter,worst_area,worst_smoothness,worst_compactness,worst_concavity,\
     worst_concave_points,worst_symmetry,worst_fractal_dimension,label";

pub(super) const SETS: &[DataSet] = &[
    DataSet {
        name: "ionosphere",
        title: "Radar echoes that show structure in the ionosphere, or none",
        samples: Some(351),
        features: Some(34),
        classes: &two("bad", 126, "good", 225),
        origin: "Sigillito et al. 1989, Johns Hopkins APL Technical Digest 10:262; UCI",
        address: "https://archive.ics.uci.edu/dataset/52/ionosphere",
        licence: UCI,
        source: Source::Published {
            address: "https://archive.ics.uci.edu/ml/machine-learning-databases/ionosphere/\
                      ionosphere.data",
            file: file(
                "ionosphere/ionosphere.data",
                76467,
                "46d52186b84e20be52918adb93e8fb9926b34795ff7504c24350ae0616a04bbd",
            ),
            conversion: Conversion {
                skipped_lines: 0,
                header: IONOSPHERE_HEADER,
                labels: &[("b", "-1"), ("g", "1")],
            },
        },
        files: &[file(
            "ionosphere/data.csv",
            75597,
            "51d3e105480467a59ddee8a47f729de9255d1955dc57473e5d04e444c67f7989",
        )],
        remarks: &["One column (a02) is constant."],
    },
    DataSet {
        name: "sonar",
        title: "Sonar echoes of mines and rocks",
        samples: Some(208),
        features: Some(60),
        classes: &two("rock", 97, "mine", 111),
        origin: "Gorman and Sejnowski 1988, Neural Networks 1:75; UCI",
        address: "https://archive.ics.uci.edu/dataset/151/connectionist+bench+sonar+mines+vs+rocks",
        licence: UCI,
        source: Source::Published {
            address: "https://archive.ics.uci.edu/ml/machine-learning-databases/undocumented/\
                      connectionist-bench/sonar/sonar.all-data",
            file: file(
                "sonar/sonar.all-data",
                87776,
                "e90434cdbf00fcf93ffa911fe447ae25606979658e60f1d32e155c3b5240234d",
            ),
            conversion: Conversion {
                skipped_lines: 0,
                header: SONAR_HEADER,
                labels: &[("R", "-1"), ("M", "1")],
            },
        },
        files: &[file(
            "sonar/data.csv",
            86210,
            "64396408616efe56468b51f5b7b5cb44ee71d26645427cc515d1fc5f09ea3e59",
        )],
        remarks: &["Rows are sorted by class: shuffle or stratify."],
    },
    DataSet {
        name: "wdbc",
        title: "Breast tumours, malignant or benign (shapes of cell nuclei)",
        samples: Some(569),
        features: Some(30),
        classes: &two("benign", 357, "malignant", 212),
        origin: "Street, Wolberg and Mangasarian 1993, SPIE 1905:861; UCI Breast Cancer Wisconsin \
                 (Diagnostic), as scikit-learn carries it",
        address: "https://archive.ics.uci.edu/dataset/17/breast+cancer+wisconsin+diagnostic",
        licence: UCI,
        source: Source::Published {
            address: "https://raw.githubusercontent.com/scikit-learn/scikit-learn/1.3.0/sklearn/\
                      datasets/data/breast_cancer.csv",
            file: file(
                "wdbc/breast_cancer.csv",
                119913,
                "fed3eb72d0575ef6192293f5093c6e801b1476b577d0386bf4455504522172ed",
            ),
            // scikit-learn counts classes in the order of its first line: malignant, benign.
            conversion: Conversion {
                skipped_lines: 1,
                header: WDBC_HEADER,
                labels: &[("0", "1"), ("1", "-1")],
            },
        },
        files: &[file(
            "wdbc/data.csv",
            120737,
            "0712390912126989410349951793e3637c57ad4c8d17c5d94331b41ae7323db6",
        )],
        remarks: &["scikit-learn codes malignant as 0 and benign as 1; here malignant is +1."],
    },
    DataSet {
        name: "waveform_noise",
        title: "Three artificial waves, with 19 columns of noise",
        samples: Some(5000),
        features: Some(40),
        classes: &[
            Class { label: "0", meaning: "wave 1 of the paper", samples: 1692 },
            Class { label: "1", meaning: "wave 2 of the paper", samples: 1653 },
            Class { label: "2", meaning: "the third wave", samples: 1655 },
        ],
        origin: "Breiman et al. 1984, Classification and Regression Trees; UCI Waveform Database \
                 Generator (version 2)",
        address: "https://archive.ics.uci.edu/dataset/108/waveform+database+generator+version+2",
        licence: UCI,
        source: Source::ByHand(
            "it is published at \
             https://archive.ics.uci.edu/dataset/108/waveform+database+generator+version+2 in a \
             packed file of which no checksum is known",
        ),
        files: &[file(
            "waveform_noise/data.csv.gz",
            335949,
            "d4e06201c0b0fbbe685270282cdb6f333a9c71bcd7661deec2548584c8559333",
        )],
        remarks: &[
            "Labels are 0, 1, 2 as at UCI; the paper's `wave 1 against wave 2` are 0 and 1.",
            "The features x22 to x40 are pure noise.",
        ],
    },
    DataSet {
        name: "eeg_alcoholism_de",
        title: "Electroencephalograms of alcoholic and other people (energies of five bands)",
        samples: Some(924),
        features: Some(305),
        classes: &two("control", 456, "alcoholic", 468),
        origin: "Begleiter, UCI EEG Database; differential entropies of 61 channels in 5 bands, \
                 computed for this project",
        address: "https://archive.ics.uci.edu/dataset/121/eeg+database",
        licence: UCI,
        source: Source::ByHand(
            "it was computed from the recordings at \
             https://archive.ics.uci.edu/dataset/121/eeg+database and is published nowhere",
        ),
        files: &[
            file(
                "eeg_alcoholism_de/data.csv.gz",
                711343,
                "68e72456a5be2e8c99ef76a0ed8b3af6a896beeae1b4cbe0e6f2aae84053f1e5",
            ),
            file(
                "eeg_alcoholism_de/samples.csv",
                33080,
                "47172fe08233e0aeb39ff7ada53beff5d46234ace0c507c5c1e86ba1399c2cb2",
            ),
        ],
        remarks: &[
            "The label belongs to the person, 16 in all: leave whole people out (the column \
             `subject` of samples.csv), or the person is recognised and not the class.",
            "A stand-in for SEED, but not data of emotions: the paper's figures for SEED cannot be \
             had from it.",
        ],
    },
    DataSet {
        name: "seed",
        title: "Electroencephalograms of emotions (SEED)",
        samples: None,
        features: None,
        classes: &[],
        origin: "BCMI laboratory, Shanghai Jiao Tong University",
        address: "https://bcmi.sjtu.edu.cn/home/seed/",
        licence: "a licence agreement, to be signed by everybody who uses it",
        source: Source::Licensed(
            "its owners give it to those who sign a licence at https://bcmi.sjtu.edu.cn/home/seed/",
        ),
        files: &[],
        remarks: &["`eeg_alcoholism_de` is a set of the same form that anybody may use."],
    },
];
