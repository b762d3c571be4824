#include <attn/error.hpp>
#include <attn/probe.hpp>
#include <attn/rng.hpp>
#include <attn/softmax.hpp>
#include <cmath>
#include <map>
#include <string>

namespace attn {
namespace {

constexpr int kWidthLimit = 1000;
constexpr int kStepLimit = 10000;

void check_labels(const Matrix& x, const std::vector<int>& labels,
                  Index classes) {
  require_valid("x", x);
  if (static_cast<Index>(labels.size()) != x.rows())
    throw Error(ErrorCode::kShapeMismatch, "there are " +
                                               std::to_string(labels.size()) +
                                               " labels but x is " + shape(x));
  for (const int label : labels)
    if (label < 0 || label >= classes)
      throw Error(ErrorCode::kInvalidArgument,
                  "there is no class " + std::to_string(label));
  require_size("logits", x.rows(), classes);
}

void check_run(int classes, int steps, double learning_rate) {
  if (classes < 1 || classes > kWidthLimit)
    throw Error(ErrorCode::kInvalidArgument, "classes must be 1 to 1000");
  if (steps < 0 || steps > kStepLimit)
    throw Error(ErrorCode::kInvalidArgument, "steps must be 0 to 10000");
  if (!(learning_rate > 0) || !std::isfinite(learning_rate))
    throw Error(ErrorCode::kInvalidArgument, "learning_rate must be positive");
}

Matrix affine(const Matrix& x, const Matrix& w, const std::vector<double>& b) {
  Matrix z = product(x, w);
  for (Index i = 0; i < z.rows(); ++i)
    for (Index j = 0; j < z.cols(); ++j) z(i, j) += b[static_cast<size_t>(j)];
  return z;
}

std::vector<double> column_sums(const Matrix& m) {
  std::vector<double> sums(static_cast<size_t>(m.cols()), 0);
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      sums[static_cast<size_t>(j)] += m(i, j);
  return sums;
}

void require_converging(double value) {
  if (!std::isfinite(value))
    throw Error(ErrorCode::kDiverged,
                "the probe's numbers left the finite ones");
}

void descend(Matrix& w, const Matrix& gradient, double rate) {
  for (Index i = 0; i < w.rows(); ++i)
    for (Index j = 0; j < w.cols(); ++j) {
      w(i, j) -= rate * gradient(i, j);
      require_converging(w(i, j));
    }
}

void descend(std::vector<double>& b, const std::vector<double>& gradient,
             double rate) {
  for (size_t j = 0; j < b.size(); ++j) {
    b[j] -= rate * gradient[j];
    require_converging(b[j]);
  }
}

struct Judgement {
  double loss;
  double accuracy;
  Matrix d_logits;  ///< n × classes, of the mean loss
};

// The loss is log Σ exp(z) − z[label], shifted by the maximum.
Judgement judge(const Matrix& logits, const std::vector<int>& labels) {
  const auto n = static_cast<double>(logits.rows());
  Judgement g{0, 0, softmax_rows(logits)};
  for (Index i = 0; i < logits.rows(); ++i) {
    const Index label = labels[static_cast<size_t>(i)];
    Index best = 0;
    for (Index j = 1; j < logits.cols(); ++j)
      if (logits(i, j) > logits(i, best)) best = j;
    double sum = 0;
    for (Index j = 0; j < logits.cols(); ++j)
      sum += std::exp(logits(i, j) - logits(i, best));
    g.loss += (std::log(sum) + logits(i, best) - logits(i, label)) / n;
    g.accuracy += best == label ? 1 : 0;
    g.d_logits(i, label) -= 1;
  }
  g.accuracy /= n;
  g.d_logits /= n;
  return g;
}

void record(ProbeHistory& history, const Judgement& g) {
  history.loss.push_back(g.loss);
  history.accuracy.push_back(g.accuracy);
}

MlpProbe random_mlp(Index d, int hidden, int classes, std::uint32_t seed) {
  Rng rng(seed);
  MlpProbe p;
  p.w1 = normal_matrix(rng, d, hidden) / std::sqrt(static_cast<double>(d));
  p.w2 = normal_matrix(rng, hidden, classes) /
         std::sqrt(static_cast<double>(hidden));
  p.b1.assign(static_cast<size_t>(hidden), 0);
  p.b2.assign(static_cast<size_t>(classes), 0);
  return p;
}

Matrix rectified(const Matrix& m) {
  return m.unaryExpr([](double v) { return v > 0 ? v : 0.0; });
}

}  // namespace

// #region probe_gradient
ProbeGradient probe_gradient(const LinearProbe& probe, const Matrix& x,
                             const std::vector<int>& labels) {
  check_labels(x, labels, probe.w.cols());
  require_valid("w", probe.w);
  if (static_cast<Index>(probe.b.size()) != probe.w.cols())
    throw Error(ErrorCode::kShapeMismatch,
                "b has " + std::to_string(probe.b.size()) +
                    " numbers but w is " + shape(probe.w));
  const Judgement g = judge(affine(x, probe.w, probe.b), labels);
  return {g.loss, g.accuracy, product(x.transpose(), g.d_logits),
          column_sums(g.d_logits)};
}
// #endregion probe_gradient

// #region train_linear_probe
LinearProbeRun train_linear_probe(const Matrix& x,
                                  const std::vector<int>& labels, int classes,
                                  int steps, double learning_rate) {
  check_run(classes, steps, learning_rate);
  check_labels(x, labels, classes);
  LinearProbeRun run{{Matrix::Zero(x.cols(), classes),
                      std::vector<double>(static_cast<size_t>(classes), 0)},
                     {}};
  for (int step = 0;; ++step) {
    const Judgement g = judge(affine(x, run.probe.w, run.probe.b), labels);
    record(run.history, g);
    if (step == steps) return run;
    descend(run.probe.w, product(x.transpose(), g.d_logits), learning_rate);
    descend(run.probe.b, column_sums(g.d_logits), learning_rate);
  }
}
// #endregion train_linear_probe

MlpProbeRun train_mlp_probe(const Matrix& x, const std::vector<int>& labels,
                            int classes, int hidden, std::uint32_t seed,
                            int steps, double learning_rate) {
  check_run(classes, steps, learning_rate);
  if (hidden < 1 || hidden > kWidthLimit)
    throw Error(ErrorCode::kInvalidArgument, "hidden must be 1 to 1000");
  check_labels(x, labels, classes);
  MlpProbeRun run{random_mlp(x.cols(), hidden, classes, seed), {}};
  MlpProbe& p = run.probe;
  for (int step = 0;; ++step) {
    // 1. Forward.
    const Matrix hidden_values = rectified(affine(x, p.w1, p.b1));
    const Judgement g = judge(affine(hidden_values, p.w2, p.b2), labels);
    record(run.history, g);
    if (step == steps) return run;

    // 2. Back through the rectifier: no slope where it gave 0.
    Matrix d_hidden = product(g.d_logits, p.w2.transpose());
    for (Index i = 0; i < d_hidden.rows(); ++i)
      for (Index j = 0; j < d_hidden.cols(); ++j)
        if (!(hidden_values(i, j) > 0)) d_hidden(i, j) = 0;

    // 3. One step down.
    descend(p.w2, product(hidden_values.transpose(), g.d_logits),
            learning_rate);
    descend(p.b2, column_sums(g.d_logits), learning_rate);
    descend(p.w1, product(x.transpose(), d_hidden), learning_rate);
    descend(p.b1, column_sums(d_hidden), learning_rate);
  }
}

std::vector<int> control_labels(const std::vector<int>& types, int classes,
                                std::uint32_t seed) {
  if (types.empty()) throw Error(ErrorCode::kEmptyInput, "types is empty");
  if (classes < 1 || classes > kWidthLimit)
    throw Error(ErrorCode::kInvalidArgument, "classes must be 1 to 1000");
  Rng rng(seed);
  std::map<int, int> label_of;
  std::vector<int> labels;
  for (const int type : types) {
    if (type < 0)
      throw Error(ErrorCode::kInvalidArgument, "types must not be negative");
    const auto known = label_of.find(type);
    labels.push_back(known != label_of.end()
                         ? known->second
                         : label_of[type] = rng.below(classes));
  }
  return labels;
}

double selectivity(double task_accuracy, double control_accuracy) {
  return task_accuracy - control_accuracy;
}

ScalarMix scalar_mix(const Matrix& layers, const std::vector<double>& a,
                     double gamma) {
  require_valid("layers", layers);
  if (static_cast<Index>(a.size()) != layers.rows())
    throw Error(ErrorCode::kShapeMismatch, "a has " + std::to_string(a.size()) +
                                               " numbers but layers is " +
                                               shape(layers));
  if (!std::isfinite(gamma))
    throw Error(ErrorCode::kNotFinite, "gamma is not finite");
  ScalarMix mix{softmax(a),
                std::vector<double>(static_cast<size_t>(layers.cols()), 0), 0};
  for (Index l = 0; l < layers.rows(); ++l) {
    const double weight = mix.weights[static_cast<size_t>(l)];
    mix.center_of_gravity += static_cast<double>(l) * weight;
    for (Index j = 0; j < layers.cols(); ++j)
      mix.mixed[static_cast<size_t>(j)] += gamma * weight * layers(l, j);
  }
  return mix;
}

ExpectedLayer expected_layer(const std::vector<double>& cumulative) {
  if (cumulative.size() < 2)
    throw Error(ErrorCode::kEmptyInput, "two cumulative scores are needed");
  for (const double v : cumulative)
    if (!std::isfinite(v))
      throw Error(ErrorCode::kNotFinite, "cumulative is not finite");
  ExpectedLayer e{{}, 0};
  double sum = 0;
  for (size_t l = 1; l < cumulative.size(); ++l) {
    e.gains.push_back(cumulative[l] - cumulative[l - 1]);
    sum += e.gains.back();
    e.layer += static_cast<double>(l) * e.gains.back();
  }
  if (sum == 0)
    throw Error(ErrorCode::kInvalidArgument, "the layers gain nothing in all");
  e.layer /= sum;
  return e;
}

}  // namespace attn
