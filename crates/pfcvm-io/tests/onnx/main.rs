//! ONNX graphs, read by another library and computed by a small runtime, say what the model says.

mod protobuf;
mod runtime;

use pfcvm::data::Columns;
use pfcvm::multiclass::{self, Dataset, Scheme};
use pfcvm::panel::PanelSettings;
use pfcvm::{Goal, Kernel, Matrix, SamplePolicy, Settings};
use pfcvm_io::onnx::{Error, Input, export};
use pfcvm_io::{Content, FitSettings, FittedMachine, Levels, ModelFile, TableForm, Variable};
use protobuf::{Extent, Model};
use runtime::{Array, run};

/// Points that fill the cube evenly, shifted by class in the first features.
fn rows(count: usize, features: usize, classes: usize) -> (Matrix, Vec<usize>) {
    let x = Matrix::from_fn(count, features, |i, k| {
        let step = 1.0 / 1.324_717_957_244_746f64.powi(k as i32 + 1);
        let shift = if k < classes && i % classes == k { 0.6 } else { 0.0 };
        10.0 * (((i + 1) as f64 * step).fract() + shift) + k as f64
    });
    (x, (0..count).map(|i| i % classes).collect())
}

fn data(classes: usize, names: &[&str]) -> Dataset {
    let (x, codes) = rows(60, 5, classes);
    Dataset::new(x, codes, names.iter().map(|name| name.to_string()).collect()).unwrap()
}

fn fitted(data: &Dataset, scheme: Scheme, settings: Settings) -> ModelFile {
    let fits = multiclass::fit(data, scheme, &settings).unwrap();
    ModelFile {
        classes: data.class_names().to_vec(),
        labels_are_text: false,
        class_rows: Some(data.class_counts()),
        label: Some("class".into()),
        unnamed: None,
        training_rows: data.len(),
        settings: FitSettings::Single(Box::new(settings)),
        machines: fits.map(|fit| FittedMachine::of_fit(fit, |row| row)),
        feature_names: (0..5).map(|k| format!("feature {k}")).collect(),
        form: None,
        missing: Vec::new(),
        choice: None,
        seen: None,
        unlabelled: None,
    }
}

/// The same with panels.
fn with_panels(file: ModelFile, data: &Dataset, scheme: Scheme) -> ModelFile {
    let settings = PanelSettings { members: 6, ..PanelSettings::default() };
    let panels = multiclass::fit_panel(data, scheme, &settings).unwrap();
    let machines = panels.map(FittedMachine::of_panel);
    ModelFile { settings: FitSettings::Panel(Box::new(settings)), machines, ..file }
}

fn decoded(file: &ModelFile, input: Input) -> Model {
    protobuf::read(&export(file, input).unwrap()).unwrap()
}

/// New rows, some of them far away, one of gaps.
fn new_rows() -> Matrix {
    let (x, _) = rows(37, 5, 2);
    Matrix::from_fn(40, 5, |i, k| match i {
        0..37 => x.get(i, k) * 1.1 - 0.4,
        37 => f64::NAN,
        38 => 1e6,
        _ => -1e6,
    })
}

fn as_array(x: &Matrix) -> Array {
    let values = (0..x.rows()).flat_map(|i| (0..x.cols()).map(move |k| x.get(i, k)));
    Array::new(vec![x.rows(), x.cols()], values.collect())
}

/// The largest difference between a graph and the model; places of labels must agree.
fn difference(file: &ModelFile, model: &Model) -> f64 {
    let x = new_rows();
    difference_on(file, model, &x, vec![as_array(&x)])
}

/// The same on other rows, given as the graph takes them.
fn difference_on(file: &ModelFile, model: &Model, x: &Matrix, inputs: Vec<Array>) -> f64 {
    let said = file.machines.predict(x).unwrap();
    let outputs = run(model.graph.as_ref().unwrap(), inputs);
    let label = &outputs["label"];
    for (row, class) in said.class.iter().enumerate() {
        let expected = &file.classes[*class];
        match label.texts.get(row) {
            Some(text) => assert_eq!(text, expected),
            None => assert_eq!(label.values[row], expected.parse::<f64>().unwrap()),
        }
    }
    let tables = [
        ("probabilities", &said.probability),
        ("decision", &said.decision),
        ("variance", said.variance.as_ref().unwrap()),
    ];
    let mut off = 0f64;
    for (name, table) in tables {
        let found = &outputs[name];
        assert_eq!(found.values.len(), table.rows() * table.cols(), "{name}");
        for row in 0..table.rows() {
            for column in 0..table.cols() {
                let (a, b) = (found.values[row * table.cols() + column], table.get(row, column));
                off = off.max((a - b).abs() / b.abs().max(1.0));
            }
        }
    }
    off
}

#[test]
fn graphs_say_what_models_say() {
    let two = data(2, &["no", "yes"]);
    let four = data(4, &["3", "1", "-2", "40"]);
    for kernel in [Kernel::Rbf, Kernel::Linear, Kernel::Polynomial { degree: 3 }] {
        for samples in [SamplePolicy::Few, SamplePolicy::Dense] {
            let settings = Settings { samples, ..Settings::new(kernel) };
            let file = fitted(&two, Scheme::OneVsOne, settings.clone());
            let off = difference(&file, &decoded(&file, Input::Double));
            assert!(off < 1e-9, "{kernel} {samples}: {off:e}");
            for scheme in [Scheme::OneVsOne, Scheme::OneVsRest, Scheme::Joint] {
                let file = fitted(&four, scheme, settings.clone());
                let off = difference(&file, &decoded(&file, Input::Double));
                assert!(off < 1e-9, "{kernel} {samples} {scheme}: {off:e}");
            }
        }
    }
}

fn for_accuracy(kernel: Kernel) -> Settings {
    Settings { goal: Goal::Accuracy, samples: SamplePolicy::Dense, ..Settings::new(kernel) }
}

#[test]
fn graphs_add_the_machine_of_all_features() {
    let two = data(2, &["no", "yes"]);
    let three = data(3, &["3", "1", "-2"]);
    for kernel in [Kernel::Rbf, Kernel::Linear, Kernel::Polynomial { degree: 2 }] {
        let cases = [(&two, Scheme::OneVsOne), (&three, Scheme::Joint), (&three, Scheme::OneVsOne)];
        for (data, scheme) in cases {
            let file = fitted(data, scheme, for_accuracy(kernel));
            assert!(file.machines.machines().iter().all(FittedMachine::uses_all_features));
            assert_eq!(file.needed_columns().len(), 5);
            let mut x = new_rows();
            (0..37).step_by(3).for_each(|i| x.set(i, i % 5, f64::NAN));
            let model = decoded(&file, Input::Double);
            let off = difference_on(&file, &model, &x, vec![as_array(&x)]);
            assert!(off < 1e-9, "{kernel} {scheme}: {off:e}");
        }
    }
}

/// What machines that learned together compare rows with is in the graph once.
#[test]
fn samples_of_all_features_are_written_once() {
    let file = fitted(&data(4, &["a", "b", "c", "d"]), Scheme::Joint, for_accuracy(Kernel::Rbf));
    let rows = file.machines.machines()[0].model().unwrap().broad().unwrap().samples().rows();
    assert_eq!(rows, 60);
    let graph = decoded(&file, Input::Double).graph.unwrap();
    let large = graph.initializer.iter().filter(|tensor| tensor.raw_data.len() == 8 * 5 * rows);
    let of_list = file.machines.machines().iter().filter(|machine| {
        let z = machine.model().unwrap().sample_values();
        z.rows() * z.cols() == 5 * rows
    });
    // Those of a list that has all features and samples would be as large.
    assert!(large.count() <= 1 + 3 * of_list.count());
}

/// A list with nothing on it beside a machine of all features.
#[test]
fn graphs_without_a_list_have_all_features() {
    let file = fitted(&data(2, &["no", "yes"]), Scheme::OneVsOne, for_accuracy(Kernel::Rbf));
    let nothing = fitted(&noise(2, &["no", "yes"]), Scheme::OneVsOne, Settings::new(Kernel::Rbf));
    let broad = |file: &ModelFile| {
        let model = file.machines.machines()[0].model().unwrap();
        serde_json::to_value(model).unwrap()
    };
    let mut without = broad(&nothing);
    without["broad"] = broad(&file)["broad"].take();
    let mut machine = nothing.machines.machines()[0].clone();
    machine.fitted = pfcvm_io::Fitted::Model(serde_json::from_value(without).unwrap());
    let machines = multiclass::Machines::new(Scheme::OneVsOne, 2, vec![machine]).unwrap();
    let file = ModelFile { machines, ..nothing };
    assert!(file.machines.feature_shares().is_empty());
    assert_eq!(file.needed_features().len(), 5);
    let off = difference(&file, &decoded(&file, Input::Double));
    assert!(off < 1e-9, "{off:e}");
}

/// Rows that say nothing of their classes, of which the first has the most.
fn noise(classes: usize, names: &[&str]) -> Dataset {
    let (x, _) = rows(80, 5, 1);
    let codes = (0..80).map(|i| (i * i * 7 + i / 3) % 11 % (classes + 1) % classes).collect();
    Dataset::new(x, codes, names.iter().map(|name| name.to_string()).collect()).unwrap()
}

/// What a graph says where nothing was found: the same of every row, numbers or not.
fn shares_everywhere(file: &ModelFile) {
    assert!(file.machines.feature_shares().is_empty(), "something was found");
    let model = decoded(file, Input::Double);
    let off = difference(file, &model);
    assert!(off < 1e-12, "{off:e}");
    let x = Array::new(
        vec![2, 5],
        vec![f64::NAN, f64::INFINITY, 0.0, -1e300, f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0],
    );
    let said = run(model.graph.as_ref().unwrap(), vec![x]);
    let counts = file.class_rows.as_ref().unwrap();
    let all: usize = counts.iter().sum();
    for row in said["probabilities"].values.chunks(counts.len()) {
        for (found, count) in row.iter().zip(counts) {
            let share = *count as f64 / all as f64;
            assert!((found - share).abs() < 1e-12, "{found} for {share}");
        }
    }
    assert!(said["variance"].values.iter().all(|variance| *variance == 0.0));
}

#[test]
fn where_nothing_was_found_a_graph_says_the_shares_of_the_classes() {
    let two = noise(2, &["no", "yes"]);
    let three = noise(3, &["0", "1", "2"]);
    for kernel in [Kernel::Rbf, Kernel::Linear, Kernel::Polynomial { degree: 2 }] {
        shares_everywhere(&fitted(&two, Scheme::OneVsOne, Settings::new(kernel)));
    }
    for scheme in [Scheme::OneVsOne, Scheme::OneVsRest, Scheme::Joint] {
        let file = fitted(&three, scheme, Settings::new(Kernel::Rbf));
        assert_eq!(file.machines.machines().len(), 3);
        shares_everywhere(&file);
        shares_everywhere(&with_panels(file, &three, scheme));
    }
}

/// A companion: any constant of a graph that is a little off is noticed.
#[test]
fn a_wrong_constant_is_noticed() {
    let file = fitted(&data(2, &["0", "1"]), Scheme::OneVsOne, Settings::new(Kernel::Rbf));
    let model = decoded(&file, Input::Double);
    let count = model.graph.as_ref().unwrap().initializer.len();
    let mut looked_at = 0;
    for at in 0..count {
        let mut wrong = model.clone();
        let tensor = &mut wrong.graph.as_mut().unwrap().initializer[at];
        if tensor.data_type != 11 {
            continue;
        }
        let mut first = f64::from_le_bytes(tensor.raw_data[..8].try_into().unwrap());
        // Values beyond the bounds of scaled ones are too far from all samples to matter, and no row
        // is next to a threshold of 0.
        if first == 0.0 || first.abs() == pfcvm::data::LARGEST_SCALED {
            continue;
        }
        first += 0.01 * first.abs().max(1e-3);
        tensor.raw_data[..8].copy_from_slice(&first.to_le_bytes());
        let moved = std::panic::catch_unwind(|| difference(&file, &wrong));
        let unnoticed = moved.is_ok_and(|off| off < 1e-9);
        assert!(!unnoticed, "constant {at}: {first}");
        looked_at += 1;
    }
    assert!(looked_at > 10, "{looked_at} constants");
}

#[test]
fn the_file_says_what_it_takes_and_gives() {
    let two = fitted(&data(2, &["no", "yes"]), Scheme::OneVsOne, Settings::new(Kernel::Linear));
    let three = fitted(&data(3, &["1", "2", "3"]), Scheme::OneVsOne, Settings::new(Kernel::Linear));
    for (file, input, element) in [(&two, Input::Single, 1), (&three, Input::Double, 11)] {
        let model = decoded(file, input);
        assert_eq!((model.ir_version, model.producer_name.as_str()), (8, "pfcvm"));
        assert_eq!((model.opset_import.len(), model.opset_import[0].version), (1, 13));
        let classes = file.classes.join("\n");
        assert!(model.metadata_props.iter().any(|p| p.key == "classes" && p.value == classes));
        let graph = model.graph.unwrap();
        let form = |value: &protobuf::Value| {
            let tensor = value.kind.clone().unwrap().tensor.unwrap();
            let dims = tensor.shape.unwrap().dim;
            assert_eq!(dims[0].extent, Some(Extent::Named("N".into())));
            let columns = dims.get(1).map(|dim| match dim.extent {
                Some(Extent::Fixed(columns)) => columns,
                _ => panic!("{dim:?}"),
            });
            (value.name.clone(), tensor.elem_type, columns)
        };
        assert_eq!(form(&graph.input[0]), ("X".into(), element, Some(5)));
        let k = file.classes.len() as i64;
        let (label, of_machines) = if k == 2 { (8, None) } else { (7, Some(3)) };
        let expected = [
            ("label".to_string(), label, None),
            ("probabilities".to_string(), 11, Some(k)),
            ("decision".to_string(), 11, of_machines),
            ("variance".to_string(), 11, of_machines),
        ];
        assert_eq!(Vec::from_iter(graph.output.iter().map(form)), expected);
    }
}

/// A table of a word of three levels, a number with gaps, two numbers that make up one feature, and a
/// word of two; the words decide, with the gaps.
fn table(classes: usize, goal: Goal) -> (ModelFile, Dataset) {
    let (numbers, _) = rows(90, 5, 1);
    let word = |i: usize, k: usize, levels: usize| (numbers.get(i, k) * 7.3) as usize % levels;
    let x = Matrix::from_fn(90, 5, |i, k| match k {
        0 => word(i, 0, 3) as f64,
        1 if i % 4 == 0 => f64::NAN,
        4 => word(i, 4, 2) as f64,
        k => numbers.get(i, k),
    });
    let codes = (0..90).map(|i| (word(i, 0, 3) + usize::from(i % 4 == 0)) % classes).collect();
    let names = (0..classes).map(|k| format!("class {k}")).collect();
    let levels = |names: &[&str]| {
        let counted = names.iter().map(|name| (name.to_string(), 1)).collect();
        Content::Words(Levels::of(counted))
    };
    let content = [
        levels(&["blue", "green", "red"]),
        Content::Number,
        Content::Number,
        Content::Number,
        levels(&["no", "yes"]),
    ];
    let called = ["colour", "label", "left", "right", "smokes"];
    let variables: Vec<Variable> = (called.iter().zip(content))
        .map(|(name, content)| Variable { name: name.to_string(), content })
        .collect();
    let columns = Columns::new(variables.iter().map(Variable::kind).collect());
    let columns = columns.grouped(&[0, 1, 2, 2, 3]).unwrap();
    let data = Dataset::new(x, codes, names).unwrap().with_columns(columns.clone()).unwrap();
    let settings = Settings { goal, false_positive_rate: 0.3, ..Settings::new(Kernel::Rbf) };
    let scheme = if goal == Goal::List { Scheme::OneVsOne } else { Scheme::Joint };
    let file = ModelFile {
        feature_names: ["colour", "label", "sides", "smokes"].map(String::from).to_vec(),
        form: TableForm::of(&variables, &columns),
        ..fitted(&data, scheme, settings)
    };
    (file, data)
}

#[test]
fn words_gaps_and_groups_are_inputs_of_their_own() {
    for (classes, goal) in [2, 3]
        .into_iter()
        .flat_map(|classes| [Goal::List, Goal::Accuracy].map(|goal| (classes, goal)))
    {
        let (file, data) = table(classes, goal);
        let model = decoded(&file, Input::Double);
        let graph = model.graph.as_ref().unwrap();
        let domains: Vec<&str> = model.opset_import.iter().map(|set| set.domain.as_str()).collect();
        assert_eq!(domains, ["", "ai.onnx.ml"]);
        // An output is called `label`, too.
        assert_eq!(
            (graph.input[0].name.as_str(), graph.input[1].name.as_str()),
            ("colour", "label_in")
        );
        let needed = file.machines.needed_columns();
        assert!(needed.contains(&0) && needed.contains(&1), "{needed:?}");
        assert!(goal == Goal::List || needed.len() == 5, "{needed:?}");
        let form = file.form.as_ref().unwrap();
        // The rows that were learned from, and one that holds words nobody has seen.
        let x = Matrix::from_fn(91, 5, |i, k| match (i, k) {
            (90, 2) => 1.0,
            (90, _) => f64::NAN,
            (i, k) => data.x().get(i, k),
        });
        let inputs = needed.iter().map(|&column| {
            let cells = x.column(column);
            match form.variables()[column].levels() {
                None => Array::new(vec![91, 1], cells.to_vec()),
                Some(levels) => {
                    let word = |code: &f64| match code.is_nan() {
                        true => "never heard of".to_string(),
                        false => levels.names()[*code as usize].clone(),
                    };
                    Array::of_texts(vec![91, 1], cells.iter().map(word).collect())
                }
            }
        });
        let off = difference_on(&file, &model, &x, inputs.collect());
        assert!(off < 1e-9, "{off:e}");
    }
}

#[test]
fn a_gap_in_a_table_of_numbers_is_nan() {
    let file = fitted(&data(2, &["no", "yes"]), Scheme::OneVsOne, Settings::new(Kernel::Rbf));
    let mut x = new_rows();
    (0..40).step_by(3).for_each(|i| x.set(i, i % 5, f64::NAN));
    let model = decoded(&file, Input::Double);
    let off = difference_on(&file, &model, &x, vec![as_array(&x)]);
    assert!(off < 1e-9, "{off:e}");
}

/// Two columns with long tails, one below and one above, beside others; gaps, and rows beyond all that trained.
#[test]
fn long_tails_are_bent_in_a_graph_too() {
    let (x, codes) = rows(60, 5, 2);
    let tailed = |x: &Matrix| {
        Matrix::from_fn(x.rows(), 5, |i, k| match k {
            0 => x.get(i, k).exp(),
            1 => -(0.7 * x.get(i, k)).exp(),
            _ => x.get(i, k),
        })
    };
    let names = vec!["no".to_string(), "yes".to_string()];
    let data = Dataset::new(tailed(&x), codes, names).unwrap();
    for settings in [Settings::new(Kernel::Rbf), for_accuracy(Kernel::Rbf)] {
        let file = fitted(&data, Scheme::Joint, settings);
        let mut new = tailed(&x);
        (0..60).step_by(7).for_each(|i| new.set(i, i % 5, f64::NAN));
        (0..2).for_each(|k| [1e9, -1e9].iter().enumerate().for_each(|(i, v)| new.set(i, k, *v)));
        let model = decoded(&file, Input::Double);
        assert!(model.graph.as_ref().unwrap().node.iter().any(|node| node.op_type == "Log"));
        let off = difference_on(&file, &model, &new, vec![as_array(&new)]);
        assert!(off < 1e-9, "{off:e}");
    }
}

#[test]
fn a_panel_is_refused() {
    let data = data(2, &["no", "yes"]);
    let file = fitted(&data, Scheme::OneVsOne, Settings::new(Kernel::Linear));
    let file = with_panels(file, &data, Scheme::OneVsOne);
    assert_eq!(export(&file, Input::Double), Err(Error::Panel));
}
