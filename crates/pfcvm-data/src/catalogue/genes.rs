//! Gene expression and other sets with many more features than samples.

use super::{Class, DataSet, Source, UCI, file, two};

const PUBLIC: &str = "public data of the cited paper; no licence text travels with them";

const SCIKIT_FEATURE: &str = "https://github.com/jundongl/scikit-feature";

pub(super) const SETS: &[DataSet] = &[
    DataSet {
        name: "colon",
        title: "Colon tumours against normal tissue (gene expression)",
        samples: Some(62),
        features: Some(2000),
        classes: &two("normal", 22, "tumour", 40),
        origin: "Alon et al. 1999, PNAS 96:6745; taken from the R package plsgenomics",
        address: "http://genomics-pubs.princeton.edu/oncology/",
        licence: PUBLIC,
        source: Source::ByHand(
            "it is data/Colon.rda of the R package plsgenomics, which is no plain table",
        ),
        files: &[
            file(
                "colon/data.csv.gz",
                464163,
                "5347b1b30217de020ddc06bd4d8362f5efe9fbf4c1c41899783d98250bb60e15",
            ),
            file(
                "colon/features.csv",
                55245,
                "f05d8da98eea1eea61b4d757f51b36ce493765f81fc30ddf8d77ba0897ca49b5",
            ),
        ],
        remarks: &["Raw intensities, not logarithms."],
    },
    DataSet {
        name: "duke",
        title: "Breast cancer with and without oestrogen receptors (gene expression)",
        samples: Some(44),
        features: Some(7129),
        classes: &two("ER-negative", 21, "ER-positive", 23),
        origin: "West et al. 2001, PNAS 98:11462; the file `duke` of LIBSVM's collection",
        address: "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary.html",
        licence: PUBLIC,
        source: Source::ByHand(
            "it is the file `duke` of LIBSVM's collection \
             (https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary.html), of which no \
             checksum is known",
        ),
        files: &[
            file(
                "duke/data.csv.gz",
                1179260,
                "9c49ef2939cdd07166a4865bdd7c96834b2f97d5fa9f9fc889db20de1e452066",
            ),
            file(
                "duke/features.csv",
                114803,
                "379b11212804cf188ea6228206fef53dca6e8f871422e7256d1c12183924e6b1",
            ),
            file(
                "duke/samples.csv",
                478,
                "f5fc43631b672b21f73c23d521e51fe4daae5c5d00f82eec1b86f3b7de2d5306",
            ),
        ],
        remarks: &[
            "44 samples (23 + 21), where the paper uses 42 (21 + 21): the column `in_subset42` of \
             samples.csv marks a guess which two were left out.",
            "Already normalised, per sample and then per gene.",
            "The names of the genes are inferred from their order, not given by the source.",
        ],
    },
    DataSet {
        name: "leukemia",
        title: "Acute leukaemia, myeloid against lymphoblastic (gene expression)",
        samples: Some(72),
        features: Some(7129),
        classes: &two("ALL", 47, "AML", 25),
        origin: "Golub et al. 1999, Science 286:531; the merged set of golubEsets",
        address: "https://github.com/ramhiser/datamicroarray",
        licence: PUBLIC,
        source: Source::ByHand(
            "it is data/golub.RData of https://github.com/ramhiser/datamicroarray, which is no \
             plain table",
        ),
        files: &[
            file(
                "leukemia/data.csv.gz",
                898965,
                "8437d8cc33acb6743712ae2faa471d7d5ece9908ca48dcbe91c294bb4512356b",
            ),
            file(
                "leukemia/features.csv",
                168756,
                "81a92f4a302fb722b707d0b6987764cf2e356def02f41ab6536adbe6a5dfee70",
            ),
            file(
                "leukemia/samples.csv",
                1037,
                "2c16657b40b228adbe4debe7da2420f67618b3a483f636fa1933782e3044ec67",
            ),
        ],
        remarks: &[
            "Raw average differences.",
            "Rows follow Golub's sample numbers 1 to 72: the first 38 were the training set.",
        ],
    },
    DataSet {
        name: "leukemia_allaml_mat",
        title: "The same leukaemia samples, normalised (the file ALLAML)",
        samples: Some(72),
        features: Some(7129),
        classes: &two("ALL", 47, "AML", 25),
        origin: "Golub et al. 1999, Science 286:531; ALLAML.mat of scikit-feature",
        address: SCIKIT_FEATURE,
        licence: "public data of the cited paper; the repository they come from is under GPL-2",
        source: Source::ByHand(
            "it is skfeature/data/ALLAML.mat of https://github.com/jundongl/scikit-feature, which \
             is no plain table",
        ),
        files: &[file(
            "leukemia_allaml_mat/data.csv.gz",
            2003642,
            "7459bf0a37bfbd53af6066f9f85e41ec9efb1edb4290ddd511562e16db3974fe",
        )],
        remarks: &["Normalised per gene; rows in an order of their own, genes as in `leukemia`."],
    },
    DataSet {
        name: "prostate_ge",
        title: "Prostate tumours against normal tissue (gene expression)",
        samples: Some(102),
        features: Some(5966),
        classes: &two("class 1 of the file", 50, "class 2 of the file", 52),
        origin: "Singh et al. 2002, Cancer Cell 1:203; Prostate-GE.mat of scikit-feature",
        address: SCIKIT_FEATURE,
        licence: "public data of the cited paper; the repository they come from is under GPL-2",
        source: Source::ByHand(
            "it is skfeature/data/Prostate-GE.mat of https://github.com/jundongl/scikit-feature, \
             which is no plain table",
        ),
        files: &[file(
            "prostate_ge/data.csv.gz",
            902944,
            "e1b88097aac3cdc39393509d1b7ba941537a808cbc910f19a6297ffeb8ce93d3",
        )],
        remarks: &["The source names neither the genes nor the classes."],
    },
    DataSet {
        name: "tox_171",
        title: "Toxicology, four classes (gene expression)",
        samples: Some(171),
        features: Some(5748),
        classes: &[
            Class { label: "1", meaning: "", samples: 45 },
            Class { label: "2", meaning: "", samples: 45 },
            Class { label: "3", meaning: "", samples: 39 },
            Class { label: "4", meaning: "", samples: 42 },
        ],
        origin: "feature selection repository of Arizona State University; TOX-171.mat of \
                 scikit-feature",
        address: SCIKIT_FEATURE,
        licence: "none known; the repository the data come from is under GPL-2",
        source: Source::ByHand(
            "it is skfeature/data/TOX-171.mat of https://github.com/jundongl/scikit-feature, which \
             is no plain table",
        ),
        files: &[file(
            "tox_171/data.csv.gz",
            2849670,
            "65d10e9f2312e01a13fd5c41e028a57a1a77ea6b60f888814ae5472115975961",
        )],
        remarks: &["Four classes: pick two of them, or learn one against the others."],
    },
    DataSet {
        name: "arcene",
        title: "Cancer against normal (mass spectrometry)",
        samples: Some(200),
        features: Some(10000),
        classes: &two("normal", 112, "cancer", 88),
        origin: "Guyon et al., feature selection challenge of NIPS 2003; arcene.mat of \
                 scikit-feature",
        address: "https://archive.ics.uci.edu/ml/datasets/Arcene",
        licence: UCI,
        source: Source::ByHand(
            "it is published at https://archive.ics.uci.edu/ml/datasets/Arcene as values and \
             labels apart, of which no checksums are known",
        ),
        files: &[file(
            "arcene/data.csv.gz",
            1860854,
            "b990bc847be42cdd29af74217d2df6b476ea184529b2793f6f7b343a4577c25a",
        )],
        remarks: &[
            "The training and validation sets of the challenge, joined.",
            "39 columns are constant.",
        ],
    },
    DataSet {
        name: "madelon",
        title: "Artificial: 20 useful features and 480 that only look like them",
        samples: Some(2600),
        features: Some(500),
        classes: &two("", 1300, "", 1300),
        origin: "Guyon et al., feature selection challenge of NIPS 2003; madelon.mat of \
                 scikit-feature",
        address: "https://archive.ics.uci.edu/ml/datasets/madelon",
        licence: UCI,
        source: Source::ByHand(
            "it is published at https://archive.ics.uci.edu/ml/datasets/madelon as values and \
             labels apart, of which no checksums are known",
        ),
        files: &[file(
            "madelon/data.csv.gz",
            1556206,
            "17f8cf8f4ec329c4f1b93827bd08d6f45807b0150b75834580cdc4f86896e287",
        )],
        remarks: &["The training (2000) and validation (600) sets of the challenge, joined."],
    },
];
