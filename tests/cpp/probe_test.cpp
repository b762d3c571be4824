// probe: what a classifier reads from frozen features, and what it could have
// memorised (vectors 18).
#include <attn/error.hpp>
#include <attn/probe.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <cmath>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::Index;
using attn::LinearProbe;
using attn::Matrix;
using attn::vectors::check_close;
using attn::vectors::json;
using attn::vectors::load;
using attn::vectors::matrix;
using attn::vectors::numbers;

namespace {

using Labels = std::vector<int>;

LinearProbe zero(Index d, Index classes) {
  return {Matrix::Zero(d, classes),
          std::vector<double>(static_cast<size_t>(classes), 0)};
}

Labels random_labels(attn::Rng& rng, Index n, int classes) {
  Labels labels;
  for (Index i = 0; i < n; ++i) labels.push_back(rng.below(classes));
  return labels;
}

}  // namespace

TEST_CASE("a probe of zeros knows nothing: its loss is ln 3",
          "[probe][vectors]") {
  const auto c = load("18_probing", "zero_init");
  const auto g = attn::probe_gradient(zero(2, c.input.at("classes")),
                                      matrix(c.input.at("X")),
                                      c.input.at("y").get<Labels>());
  check_close(g.loss, c.expected.at("loss"), c.tolerance);
  check_close(g.d_w, c.expected.at("grad_W"), c.tolerance);
  check_close(g.d_b, c.expected.at("grad_b"), c.tolerance);
}

TEST_CASE("one step of gradient descent", "[probe][vectors]") {
  const auto c = load("18_probing", "one_step_lr_0p5");
  const auto run = attn::train_linear_probe(matrix(c.input.at("X")),
                                            c.input.at("y").get<Labels>(), 3, 1,
                                            c.input.at("lr"));
  check_close(run.probe.w, c.expected.at("W"), c.tolerance);
  check_close(run.probe.b, c.expected.at("b"), c.tolerance);
  check_close(run.history.loss.at(1), c.expected.at("loss"), c.tolerance);
  check_close(run.history.accuracy.at(1), c.expected.at("accuracy"),
              c.tolerance);
}

TEST_CASE("a hundred steps learn the task, and less of the control task",
          "[probe][vectors]") {
  const auto task = load("18_probing", "hundred_steps_lr_0p5");
  const auto real = attn::train_linear_probe(matrix(task.input.at("X")),
                                             task.input.at("y").get<Labels>(),
                                             3, 100, task.input.at("lr"));
  check_close(real.history.loss.at(100), task.expected.at("loss"),
              task.tolerance);
  check_close(real.history.accuracy.at(100), task.expected.at("accuracy"),
              task.tolerance);

  const auto c = load("18_probing", "control_task_same_budget");
  const auto control = attn::train_linear_probe(
      matrix(c.input.at("X")), c.input.at("y_control").get<Labels>(), 3, 100,
      c.input.at("lr"));
  check_close(control.history.loss.at(100), c.expected.at("loss"), c.tolerance);
  check_close(control.history.accuracy.at(100), c.expected.at("accuracy"),
              c.tolerance);
  check_close(attn::selectivity(real.history.accuracy.at(100),
                                control.history.accuracy.at(100)),
              c.expected.at("selectivity"), c.tolerance);
}

TEST_CASE("layers are mixed by their softmax shares", "[probe][vectors]") {
  const auto c = load("18_probing", "scalar_mix_and_center_of_gravity");
  const auto mix =
      attn::scalar_mix(matrix(c.input.at("layers")), numbers(c.input.at("a")),
                       c.input.at("gamma"));
  check_close(mix.weights, c.expected.at("s"), c.tolerance);
  check_close(mix.mixed, c.expected.at("mixed"), c.tolerance);
  check_close(mix.center_of_gravity, c.expected.at("center_of_gravity"),
              c.tolerance);
}

TEST_CASE("the expected layer weighs what each layer adds",
          "[probe][vectors]") {
  const auto c = load("18_probing", "expected_layer_from_cumulative_scores");
  const auto e =
      attn::expected_layer(numbers(c.input.at("cumulative_F1_layers_0_to_3")));
  check_close(e.gains, c.expected.at("delta"), c.tolerance);
  check_close(e.layer, c.expected.at("expected_layer"), c.tolerance);
}

TEST_CASE("the gradient of a probe agrees with finite differences",
          "[probe][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 1, 5, 1, 3);
    const int classes = 2 + rng.below(3);
    const Labels labels = random_labels(rng, x.rows(), classes);
    LinearProbe p = zero(x.cols(), classes);
    p.w = random_like(rng, p.w);
    const Matrix numeric =
        finite_difference(p.w, Matrix::Ones(1, 1), [&](const Matrix& w) {
          return Matrix::Constant(
              1, 1, attn::probe_gradient({w, p.b}, x, labels).loss);
        });
    REQUIRE(attn::max_gap(attn::probe_gradient(p, x, labels).d_w, numeric) <
            1e-7);
  }
}

TEST_CASE("a small step lowers the loss of both kinds of probe",
          "[probe][property]") {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 4, 8, 2, 4);
    const Labels labels = random_labels(rng, x.rows(), 3);
    const auto linear = attn::train_linear_probe(x, labels, 3, 1, 1e-2);
    REQUIRE(linear.history.loss.at(1) < linear.history.loss.at(0));
    const auto mlp = attn::train_mlp_probe(x, labels, 3, 8, seed, 1, 1e-2);
    REQUIRE(mlp.history.loss.at(1) < mlp.history.loss.at(0));
  }
}

TEST_CASE("a hidden layer memorises what a linear probe cannot", "[probe]") {
  Matrix x(4, 2);
  x << 0, 0, 0, 1, 1, 0, 1, 1;
  const Labels exclusive_or{0, 1, 1, 0};
  const auto linear = attn::train_linear_probe(x, exclusive_or, 2, 2000, 0.5);
  const auto mlp = attn::train_mlp_probe(x, exclusive_or, 2, 16, 1, 2000, 0.5);
  CHECK(linear.history.accuracy.back() <= 0.75);
  CHECK(mlp.history.accuracy.back() == 1);
}

TEST_CASE("a control label belongs to the word's type", "[probe][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    const Labels types = random_labels(rng, 20, 6);
    const Labels labels = attn::control_labels(types, 4, seed);
    for (size_t i = 0; i < types.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (types[i] == types[j]) REQUIRE(labels[i] == labels[j]);
  }
}

TEST_CASE("probes refuse what they cannot use, by code", "[probe][error]") {
  const Matrix x = Matrix::Ones(2, 2);
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::train_linear_probe(x, {0}, 2, 1, 0.5); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [&] {
    attn::train_linear_probe(x, {0, 2}, 2, 1, 0.5);
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [&] {
    attn::train_linear_probe(x, {0, 1}, 2, -1, 0.5);
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [&] {
    attn::train_mlp_probe(x, {0, 1}, 2, 0, 1, 1, 0.5);
  }));
  CHECK(refuses(ErrorCode::kDiverged, [&] {
    attn::train_linear_probe(x * 1e150, {0, 0}, 2, 9, 1e300);
  }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [] { attn::train_linear_probe(Matrix(), {}, 2, 1, 0.5); }));
  CHECK(
      refuses(ErrorCode::kShapeMismatch, [&] { attn::scalar_mix(x, {1}, 1); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [] {
    attn::expected_layer({0.5, 0.5});
  }));
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::expected_layer({0.5}); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::control_labels({-1}, 2, 1); }));
}
