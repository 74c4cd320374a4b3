//! Settings that several methods have, under one name and with one meaning.

use crate::Setting;
use crate::catalogue::Takes::{self, Form, Number, Whole, Word};

pub(crate) const KERNEL: Setting = Setting {
    key: "kernel",
    default: "rbf",
    takes: &[Word("rbf"), Word("linear"), Form("poly:P")],
    about: "rbf, linear, or poly:P of degree P",
};

/// Of the relatives: the weight of every feature.
pub(crate) const GAMMA: Setting = Setting {
    key: "gamma",
    default: "auto",
    takes: &[Word("auto"), Form("auto:FACTOR"), Number { from: 1e-12, to: 1e12, ends: true }],
    about: "weight of every feature in the kernel: a number, auto for 1 / features, or auto:FACTOR \
            for so many times that",
};

pub(crate) const TRUNCATION: Setting = Setting {
    key: "truncation",
    default: "exact",
    takes: &[Word("exact"), Form("sigmoid:LAMBDA")],
    about: "how weights are kept from below 0: exact, or the paper's sigmoid:LAMBDA",
};

pub(crate) const FALSE_POSITIVE_RATE: Setting = Setting {
    key: "false_positive_rate",
    default: "0.05",
    takes: &[Number { from: 0.0, to: 0.5, ends: false }],
    about: "how likely a feature of pure noise is to be called certain, above 0 and below 0.5; also the bar for the list",
};

pub(crate) const GOAL: Setting = Setting {
    key: "goal",
    default: "list",
    takes: &[Word("list"), Word("accuracy")],
    about: "list: prediction needs the selected features alone; accuracy: a machine of all features \
            stands beside them",
};

pub(crate) const CERTAINTY: Setting = Setting {
    key: "certainty",
    default: "on",
    takes: &[Word("on"), Word("insist"), Word("off")],
    about: "whether rows that did not train are asked how sure all is: on, insist (list features even \
            where none does better than chance) or off, which takes about a tenth of the time",
};

pub(crate) const CLASS_WEIGHTS: Setting = Setting {
    key: "class_weights",
    default: "equal",
    takes: &[Word("equal"), Word("balanced"), Form("A,B")],
    about: "how the classes count: equal, balanced, or a factor for each as in 1,2.5",
};

pub(crate) const STANDARDISE: Setting = Setting {
    key: "standardise",
    default: "yes",
    takes: Takes::FLAG,
    about: "whether features are shifted and scaled first, on the training rows: yes or no",
};

pub(crate) const MAX_BASIS: Setting = Setting {
    key: "max_basis",
    default: "2000",
    takes: &[Whole { least: 2 }],
    about: "up to this many samples all are candidates",
};

pub(crate) const MAX_ITERATIONS: Setting = Setting {
    key: "max_iterations",
    default: "500",
    takes: &[Whole { least: 1 }],
    about: "iterations at most, or steps where one sample is taken at a time",
};

pub(crate) const SEED: Setting = Setting {
    key: "seed",
    default: "0",
    takes: &[Whole { least: 0 }],
    about: "of the draw of candidates among more than max_basis samples",
};

/// Of the margin and minimax methods: the width of their RBF.
pub(crate) const GAMMA_BY_SCALE: Setting = Setting {
    key: "gamma",
    default: "scale",
    takes: &[Word("scale"), Form("scale:FACTOR"), Takes::ABOVE_0],
    about: "of exp(-gamma d²): a number, scale (1 over the variance and the number of features), or \
            scale:FACTOR",
};

pub(crate) const PROBABILITY: Setting = Setting {
    key: "probability",
    default: "platt",
    takes: &[Word("platt"), Word("isotonic"), Word("no")],
    about: "how probabilities are learned, by five more fits: platt (a sigmoid), isotonic (any rising \
            function; for thousands of samples), or no",
};

/// Of methods that learn probabilities on held-out folds.
pub(crate) const SEED_OF_FOLDS: Setting =
    Setting { about: "of the folds that probabilities come from", ..SEED };

/// Of methods with a random start.
pub(crate) const SEED_OF_START: Setting = Setting { about: "of the random start", ..SEED };
