//! The benchmarks of Raetsch: binary tables with fixed training sets.

use super::{Class, DataFile, DataSet, Source, file, two};

const ORIGINAL: &[&str] =
    &["train_splits.csv holds one training set per line; its ten lines are the original \
     realisations 1 to 10."];

const OURS: &[&str] = &[
    "train_splits.csv holds one training set per line; they have the original sizes but are not \
     the original ones: compare results in size, not split for split.",
];

const FIRST_ORIGINAL: &[&str] = &[
    "train_splits.csv holds one training set per line; line 1 is a published division, the others \
     have its sizes but are not the original ones.",
];

/// What is common to all.
const fn set(
    name: &'static str,
    title: &'static str,
    features: usize,
    classes: &'static [Class; 2],
    files: &'static [DataFile; 2],
    remarks: &'static [&'static str],
) -> DataSet {
    DataSet {
        name,
        title,
        samples: Some(classes[0].samples + classes[1].samples),
        features: Some(features),
        classes,
        origin: "Raetsch, Onoda and Mueller 2001, Machine Learning 42:287, from UCI, DELVE and \
                 STATLOG; repackaged by T. Diethe, https://doi.org/10.5281/zenodo.18110",
        address: "https://github.com/tdiethe/gunnar_raetsch_benchmark_datasets",
        licence: "MIT for Diethe's package; the copies ours was made from carry no licence text",
        source: Source::ByHand(
            "it is part of benchmarks.mat of \
             https://github.com/tdiethe/gunnar_raetsch_benchmark_datasets, which is no plain table",
        ),
        files,
        remarks,
    }
}

pub(super) const SETS: &[DataSet] = &[
    set(
        "raetsch/banana",
        "Two crescents in the plane",
        2,
        &two("", 2924, "", 2376),
        &[
            file(
                "raetsch/banana/data.csv.gz",
                49971,
                "42d319726d19a057e1ab1483bd37cabdbb53f0a456921fb0fac6a3b8f3f9dae2",
            ),
            file(
                "raetsch/banana/train_splits.csv",
                18755,
                "d01226af60a4d71aa81a1fd839b058f554d3b1b5624086cc6841fc53a715d91b",
            ),
        ],
        ORIGINAL,
    ),
    set(
        "raetsch/breast_cancer",
        "Breast cancer that recurs, or not",
        9,
        &two("", 196, "", 81),
        &[
            file(
                "raetsch/breast_cancer/data.csv.gz",
                1786,
                "476de8fb90b2ad3de5907465c1580077ee89213e33ba9244e6236cda18ee2867",
            ),
            file(
                "raetsch/breast_cancer/train_splits.csv",
                7174,
                "a20b159dc97bc09b1f3f7aeca0c2af8d7a984627238ec2d2b2a9e4533172aac6",
            ),
        ],
        ORIGINAL,
    ),
    set(
        "raetsch/diabetis",
        "Diabetes among Pima people",
        8,
        &two("", 500, "", 268),
        &[
            file(
                "raetsch/diabetis/data.csv.gz",
                16089,
                "c9b96c0bf527e1de49366af97b64dbb55d86fe363061cb234f98cf4334a8e950",
            ),
            file(
                "raetsch/diabetis/train_splits.csv",
                180445,
                "1a7428d7548bc829ab81af801065bfde5be4f21ffa86faa073d9c1c683973c7a",
            ),
        ],
        FIRST_ORIGINAL,
    ),
    set(
        "raetsch/flare_solar",
        "Solar flares",
        9,
        &two("", 477, "", 589),
        &[
            file(
                "raetsch/flare_solar/data.csv.gz",
                1732,
                "894a32dce82ef753f6f984d42cbd7da9c9409e8012ae79e0e40ec03b9bd6183f",
            ),
            file(
                "raetsch/flare_solar/train_splits.csv",
                263506,
                "775eaa9513575ce0288865645bbe6bf51d4178f6a2b4d85fab6f20177565a39d",
            ),
        ],
        OURS,
    ),
    set(
        "raetsch/german",
        "German credits, good or bad",
        20,
        &two("", 700, "", 300),
        &[
            file(
                "raetsch/german/data.csv.gz",
                20153,
                "5dffdabd628ed3ef06677a0594e17cf5c3a618307fe330e48aceeefcc9655d36",
            ),
            file(
                "raetsch/german/train_splits.csv",
                27192,
                "7b0be17f3a1a4c1179ec0a0efcc1dd2d97cac96a3ec917b446d6b36c346364cd",
            ),
        ],
        ORIGINAL,
    ),
    set(
        "raetsch/heart",
        "Heart disease",
        13,
        &two("", 150, "", 120),
        &[
            file(
                "raetsch/heart/data.csv.gz",
                5374,
                "d2f4fc247cfb53a77b3f9435e0d56a41d1d3998f9388f6acfd77d73f7eda3dfa",
            ),
            file(
                "raetsch/heart/train_splits.csv",
                6071,
                "4455c46dfa3dbedbe52a92e5fbcc17253292494a663c9f2a279e6b2a748813fa",
            ),
        ],
        ORIGINAL,
    ),
    set(
        "raetsch/image",
        "Segments of images",
        18,
        &two("", 990, "", 1320),
        &[
            file(
                "raetsch/image/data.csv.gz",
                143656,
                "ba0cfc196a44d44f75597b1909d78fa6542b2ec1cea4952a18ad120b59e42622",
            ),
            file(
                "raetsch/image/train_splits.csv",
                57512,
                "794d8b9d109cd7209aa0d9b806a33bf38aaa6a679f9d72f85497fe2191489d41",
            ),
        ],
        ORIGINAL,
    ),
    set(
        "raetsch/ringnorm",
        "Two normal distributions, one within the other",
        20,
        &two("", 3736, "", 3664),
        &[
            file(
                "raetsch/ringnorm/data.csv.gz",
                649364,
                "deaea7fd4ef24a98bbff63d6345e096980ac564fec89e06b2e37b4d7ba34ee54",
            ),
            file(
                "raetsch/ringnorm/train_splits.csv",
                18950,
                "2a34759d689bbe70e17dbd898371f94947e3dfc8d78c9b5c85a3ffa0e57bab8e",
            ),
        ],
        ORIGINAL,
    ),
    set(
        "raetsch/splice",
        "Splice sites of DNA",
        60,
        &two("", 1648, "", 1527),
        &[
            file(
                "raetsch/splice/data.csv.gz",
                66133,
                "b6f40722a6a73b751a9d02089a6bfcfd758d5a7967c35d59532ea149799171f7",
            ),
            file(
                "raetsch/splice/train_splits.csv",
                93133,
                "7c8a8be1a8a469d213ea17cc4ddd44f127aa5c49fcfd604199774301217efd85",
            ),
        ],
        OURS,
    ),
    set(
        "raetsch/thyroid",
        "Thyroid disease",
        5,
        &two("", 150, "", 65),
        &[
            file(
                "raetsch/thyroid/data.csv.gz",
                3250,
                "f23e6987867be0a9dd463b9ea3d332096eb0316e86513a156dc2309bcfbefb34",
            ),
            file(
                "raetsch/thyroid/train_splits.csv",
                48797,
                "6e69c2149b149ed154981b86d8bdbc0cdb56e048b1902ddebbacf939ce91051d",
            ),
        ],
        OURS,
    ),
    set(
        "raetsch/titanic",
        "Survivors of the Titanic",
        3,
        &two("", 1490, "", 711),
        &[
            file(
                "raetsch/titanic/data.csv.gz",
                2356,
                "2241fba2f7c949f9f6888984c4c06c0b8b476ef0f33641e12dd0debda2c847a1",
            ),
            file(
                "raetsch/titanic/train_splits.csv",
                4965,
                "b6693721ce6a351d51c20407f76183dd00b4accc88e4d70273a7b178d2f6ee58",
            ),
        ],
        ORIGINAL,
    ),
    set(
        "raetsch/twonorm",
        "Two shifted normal distributions",
        20,
        &two("", 3697, "", 3703),
        &[
            file(
                "raetsch/twonorm/data.csv.gz",
                405467,
                "fd6f2c1145c831df804d0faee308b6667c9a716b596425c1256a72e19e15d3a1",
            ),
            file(
                "raetsch/twonorm/train_splits.csv",
                193942,
                "cad3a652544bb5f03ff543a849c3b07cbb590a2f35ededfd76783bf554fc916d",
            ),
        ],
        OURS,
    ),
    set(
        "raetsch/waveform",
        "Artificial waves",
        21,
        &two("", 3353, "", 1647),
        &[
            file(
                "raetsch/waveform/data.csv.gz",
                420955,
                "0a814699742ea27ceafc36f67abac52df44ebbed6aef5da45eccd6679554dae7",
            ),
            file(
                "raetsch/waveform/train_splits.csv",
                18697,
                "6255818541743a60c45a48db4a6970fcdbe4ac713c563b8ac9c2b8c2874a575b",
            ),
        ],
        ORIGINAL,
    ),
];
