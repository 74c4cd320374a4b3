//! Pages about studies, from folds made by hand: nothing is fitted here.

use pfcvm::Matrix;
use pfcvm::multiclass::{Dataset, Scheme};
use pfcvm_eval::Split;
use pfcvm_report::studies::{About, comparison, evaluation};
use pfcvm_study::{
    Contender, Evaluation, Fold, FoldScores, MachineFold, Outcome, Predictions, Study, compare,
};
use std::sync::Arc;

/// Twelve rows of classes that take turns, tested by halves.
fn study(classes: usize) -> Study {
    let x = Matrix::from_fn(12, 2, |row, col| (row * 5 + col * 7) as f64 % 11.0);
    let names = (0..classes).map(|class| format!("<{class}>")).collect();
    let data = Dataset::new(x, (0..12).map(|row| row % classes).collect(), names).unwrap();
    let half = |from: usize| Vec::from_iter(from..from + 6);
    Study {
        name: "by hand".into(),
        data: Arc::new(data),
        scheme: Scheme::OneVsRest,
        groups: None,
        splits: Arc::new(vec![
            Split { train: half(0), test: half(6) },
            Split { train: half(6), test: half(0) },
        ]),
        contender: Contender::fixed("pfcvm-lp".parse().unwrap()),
        seed: 1,
        keep_predictions: true,
    }
}

/// Every row is called right but the first.
fn fold(study: &Study, at: usize, feature: usize) -> Fold {
    let classes = study.data.class_names().len();
    let machines = study.scheme.tasks(classes).len();
    let truth = study.truth(at);
    let mut called = truth.clone();
    called[0] = (called[0] + 1) % classes;
    let mut confusion = vec![vec![0; classes]; classes];
    truth.iter().zip(&called).for_each(|(truth, called)| confusion[*truth][*called] += 1);
    let sure = |call: usize| {
        let rest = 0.2 / (classes - 1) as f64;
        Vec::from_iter((0..classes).map(|class| if class == call { 0.8 } else { rest }))
    };
    let decision = called.iter().map(|call| if *call == 1 { 1.0 } else { -1.0 }).collect();
    let scores = FoldScores {
        accuracy: 5.0 / 6.0,
        log_loss: Some(0.4),
        brier: Some(0.1),
        auc: Some(0.9),
        confusion,
    };
    let selected = MachineFold { features: Some(vec![feature]), samples: Some(3), chosen: None };
    let probability = Some(called.iter().map(|call| sure(*call)).collect());
    let predictions = Some(Predictions { called, decision: vec![decision; machines], probability });
    Fold { scores, machines: vec![selected; machines], predictions, seconds: 0.5 }
}

fn about() -> About {
    About {
        title: "By hand".into(),
        feature_names: vec!["first".into(), "<second>".into()],
        protocol: "halves".into(),
        notes: vec!["the column `id` is left out".into()],
        program: "test".into(),
    }
}

#[test]
fn a_page_has_the_same_figures_as_text_and_as_html() {
    for classes in [2, 3] {
        let study = study(classes);
        let outcomes: Vec<Outcome> = vec![Ok(fold(&study, 0, 0)), Ok(fold(&study, 1, 1))];
        let page = evaluation(&about(), &Evaluation::of(&study, &outcomes));
        let (text, html) = (page.text(), page.html().unwrap());
        for tile in &page.tiles {
            assert!(text.contains(&tile.value) && html.contains(&tile.value), "{}", tile.label);
        }
        assert!(text.contains("83.3") && text.contains("2 of 2 features"), "{text}");
        assert!(text.contains("“id”") && !text.contains('`'), "{text}");
        assert!(html.contains("&lt;second&gt;") && !html.contains("<second>"));
        // What only two classes have, and what only more have.
        assert_eq!(html.contains("ROC curve"), classes == 2);
        for picture in ["id=\"test-roc-2\"", "id=\"test-calibration-2\""] {
            assert_eq!(html.contains(picture), classes == 3, "{picture}");
        }
        assert_eq!(html.contains("probability of the most probable class"), classes == 3);
        assert!(html.contains("id=\"test-calibration\"") && text.contains("calibration error"));
        assert_eq!(text.contains("[pictures: "), classes == 3);
        assert_eq!(text.contains("Macro F1"), classes == 3);
        assert_eq!(text.contains("Machine by machine"), classes == 3);
    }
}

#[test]
fn a_fold_that_failed_is_shown_with_its_reason() {
    let study = study(2);
    let reason = "no feature `a` varies".to_string();
    let outcomes: Vec<Outcome> = vec![Err(reason), Ok(fold(&study, 1, 1))];
    let text = evaluation(&about(), &Evaluation::of(&study, &outcomes)).text();
    assert!(text.contains("1 failed") && text.contains("no feature “a” varies"), "{text}");
}

#[test]
fn a_comparison_marks_the_best_and_calls_data_by_their_title() {
    let studies = [study(3), Study { name: "other".into(), ..study(3) }];
    let worse = |at: usize| {
        let mut fold = fold(&studies[1], at, 0);
        fold.scores.accuracy = 0.5;
        Ok(fold)
    };
    let outcomes = vec![
        vec![Ok(fold(&studies[0], 0, 0)), Ok(fold(&studies[0], 1, 0))],
        vec![worse(0), worse(1)],
    ];
    let compared = compare("a/b/data.csv", &studies, &outcomes).titled("data.csv");
    assert_eq!(compared.best, Some(0));
    let text = comparison(&about(), &[compared], &[outcomes], None).text();
    assert!(text.contains("On data.csv") && !text.contains("a/b"), "{text}");
    assert!(text.contains("83.3") && text.contains('*'), "{text}");
}
