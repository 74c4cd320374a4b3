# An engine for parsnip and a learner for mlr3, made known when these packages are loaded.

.onLoad <- function(libname, pkgname) {
  when_loaded("parsnip", register_parsnip)
  when_loaded("mlr3", register_mlr3)
}

# Now if the package is there already, and whenever it is loaded. What another version of it does not
# take is no reason not to load this one.
when_loaded <- function(package, register) {
  try_to <- function(...) {
    tryCatch(register(), error = function(problem) {
      packageStartupMessage(sprintf(
        "pfcvm is not known to %s: %s", package, conditionMessage(problem)
      ))
    })
    invisible()
  }
  if (isNamespaceLoaded(package)) {
    try_to()
  }
  setHook(packageEvent(package, "onLoad"), try_to)
}

#' The engine of parsnip and the learner of mlr3
#'
#' Where 'parsnip' is installed, \code{"pfcvm"} is an engine of \code{svm_rbf} and \code{svm_linear}, for
#' classification; settings of \code{\link{pfcvm}} go to \code{set_engine}. Where 'mlr3' is installed,
#' \code{lrn("classif.pfcvm")} is a learner with the settings of \code{\link{pfcvm}}, factors and missing
#' values, importance and selected features.
#'
#' Both become known as soon as the other package and this one are loaded.
#'
#' @name engines
#' @examples
#' \dontrun{
#' library(parsnip)
#' library(pfcvm)
#' svm_rbf(mode = "classification") |>
#'   set_engine("pfcvm", false_positive_rate = 0.01) |>
#'   fit(Species ~ ., iris)
#'
#' library(mlr3)
#' lrn("classif.pfcvm", certainty = "off")$train(tsk("iris"))
#' }
NULL

# Kernels by the models of parsnip that have them.
parsnip_models <- c(svm_rbf = "rbf", svm_linear = "linear")

register_parsnip <- function() {
  mode <- "classification"
  for (model in names(parsnip_models)) {
    parsnip::set_model_engine(model, mode = mode, eng = "pfcvm")
    parsnip::set_dependency(model, eng = "pfcvm", pkg = "pfcvm", mode = mode)
    parsnip::set_fit(
      model = model, eng = "pfcvm", mode = mode,
      value = list(
        interface = "data.frame", protect = c("x", "y"), func = c(pkg = "pfcvm", fun = "pfcvm"),
        defaults = list(kernel = parsnip_models[[model]])
      )
    )
    parsnip::set_encoding(
      model = model, eng = "pfcvm", mode = mode,
      options = list(
        predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
        allow_sparse_x = FALSE
      )
    )
    for (type in c("class", "prob")) {
      parsnip::set_pred(
        model = model, eng = "pfcvm", mode = mode, type = type,
        value = list(
          pre = NULL,
          post = if (type == "prob") function(result, object) as.data.frame(result, optional = TRUE),
          func = c(fun = "predict"),
          args = list(object = quote(object$fit), newdata = quote(new_data), type = type)
        )
      )
    }
  }
}

register_mlr3 <- function() {
  mlr3::mlr_learners$add("classif.pfcvm", function() mlr3_learner()$new())
}

# Settings of pfcvm() that a learner has.
learner_settings <- c(
  "kernel", "false_positive_rate", "max_false", "certainty", "size", "goal", "samples", "standardise",
  "class_weight", "feature_groups", "scheme", "algorithm", "truncation", "max_basis", "max_iterations",
  "tolerance", "memory_limit", "parallel", "verbose", "seed"
)

# What R6 gives to the methods of a class; a check of the code cannot know of it.
#' @importFrom utils globalVariables
globalVariables(c("self", "super"))

# The class of the learner; it can be made only where mlr3 is.
mlr3_learner <- function() {
  R6::R6Class("LearnerClassifPfcvm",
    inherit = mlr3::LearnerClassif,
    public = list(
      initialize = function() {
        settings <- lapply(learner_settings, function(name) paradox::p_uty(tags = "train"))
        super$initialize(
          id = "classif.pfcvm",
          param_set = do.call(paradox::ps, stats::setNames(settings, learner_settings)),
          predict_types = c("response", "prob"),
          feature_types = c("logical", "integer", "numeric", "character", "factor", "ordered", "POSIXct"),
          properties = c("twoclass", "multiclass", "missings", "importance", "selected_features"),
          packages = c("mlr3", "pfcvm"),
          label = "Sparse Bayesian classification with selection of features and samples",
          man = "pfcvm::pfcvm"
        )
      },
      importance = function() {
        worth <- importance(self$model)
        worth <- if (is.matrix(worth)) worth[, "all"] else worth
        sort(worth, decreasing = TRUE)
      },
      selected_features = function() features(self$model)$feature
    ),
    private = list(
      .train = function(task) {
        settings <- self$param_set$get_values(tags = "train")
        x <- as.data.frame(task$data(cols = task$feature_names))
        do.call(pfcvm.default, c(list(x = x, y = task$truth()), settings))
      },
      .predict = function(task) {
        newdata <- as.data.frame(task$data(cols = task$feature_names))
        if (self$predict_type == "prob") {
          list(prob = unname_rows(stats::predict(self$model, newdata, type = "prob")))
        } else {
          list(response = stats::predict(self$model, newdata))
        }
      }
    )
  )
}

unname_rows <- function(p) {
  rownames(p) <- NULL
  p
}
