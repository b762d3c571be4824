// feed_forward: activations and the position-wise network against vectors 09,
// their slopes and their independence from other positions.
#include <attn/error.hpp>
#include <attn/feed_forward.hpp>
#include <attn/rng.hpp>
#include <catch.hpp>
#include <limits>

#include "random.hpp"
#include "refuses.hpp"
#include "vectors.hpp"

using attn::Activation;
using attn::ErrorCode;
using attn::FeedForward;
using attn::Matrix;
using attn::vectors::check_close;
using attn::vectors::load;
using attn::vectors::matrix;
using attn::vectors::numbers;
using attn::vectors::row;

namespace {

constexpr Activation kAll[] = {Activation::kRelu, Activation::kGelu,
                               Activation::kGeluTanh};

FeedForward from(const attn::vectors::json& in, Activation activation) {
  return {matrix(in.at("W1")), numbers(in.at("b1")), matrix(in.at("W2")),
          numbers(in.at("b2")), activation};
}

FeedForward random_network(attn::Rng& rng, attn::Index d, Activation a) {
  const Matrix w1 = random_matrix(rng, int(d), int(d), 1, 7);
  const Matrix w2 = random_matrix(rng, int(w1.cols()), int(w1.cols()), 1, 5);
  FeedForward f{w1, {}, w2, {}, a};
  f.b1.assign(static_cast<size_t>(w1.cols()), rng.normal());
  return f;
}

}  // namespace

TEST_CASE("ReLU, exact GELU and its tanh form differ as stated",
          "[feed_forward][vectors]") {
  const auto c = load("09_ffn", "activations");
  const Matrix x = row(c.input.at("x"));
  const char* const names[] = {"relu", "gelu_exact", "gelu_tanh"};
  for (size_t k = 0; k < 3; ++k)
    check_close(attn::activate(kAll[k], x),
                attn::vectors::json::array({c.expected.at(names[k])}),
                c.tolerance);
}

TEST_CASE("the network agrees with the worked cases",
          "[feed_forward][vectors]") {
  for (const auto& [id, activation] :
       {std::pair{"ffn_relu", Activation::kRelu},
        std::pair{"ffn_gelu", Activation::kGelu}}) {
    const auto c = load("09_ffn", id);
    const auto t =
        attn::feed_forward(row(c.input.at("x")), from(c.input, activation));
    check_close(t.hidden, attn::vectors::json::array({c.expected.at("hidden")}),
                c.tolerance);
    check_close(t.output, attn::vectors::json::array({c.expected.at("output")}),
                c.tolerance);
  }
}

TEST_CASE("the network holds twice the weights of attention",
          "[feed_forward][vectors]") {
  const auto c = load("09_ffn", "param_count");
  const double d = c.input.at("d_model");
  const double d_ff = c.input.at("d_ff");
  const double weights = attn::feed_forward_parameters(d, d_ff, false);
  CHECK(weights == c.expected.at("weights_only").get<double>());
  CHECK(attn::feed_forward_parameters(d, d_ff, true) ==
        c.expected.at("with_bias").get<double>());
  CHECK(weights / (4 * d * d) ==
        c.expected.at("ratio_to_attention_4d2").get<double>());
}

TEST_CASE("one position's output does not depend on another position",
          "[feed_forward][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 2, 5, 1, 6);
    const FeedForward f = random_network(rng, x.cols(), kAll[seed % 3]);
    const Matrix first = x.row(0);
    REQUIRE(attn::feed_forward(x, f).output.row(0) ==
            attn::feed_forward(first, f).output.row(0));
  }
}

TEST_CASE("slopes and the input gradient agree with finite differences",
          "[feed_forward][gradient]") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    attn::Rng rng(seed);
    const Matrix x = random_matrix(rng, 1, 4, 1, 5);
    const FeedForward f = random_network(rng, x.cols(), kAll[seed % 3]);
    const auto run = [&](const Matrix& v) {
      return attn::feed_forward(v, f).output;
    };
    const Matrix g = random_like(rng, run(x));
    const Matrix numeric = finite_difference(x, g, run, 1e-6);
    REQUIRE(attn::max_gap(attn::feed_forward_backward(x, f, g), numeric) <
            1e-5);
  }
}

TEST_CASE(
    "GELU lies between 0 and ReLU for positive numbers and meets both far out",
    "[feed_forward]") {
  CHECK(attn::activation_value(Activation::kGelu, 40.0) == 40.0);
  CHECK(attn::activation_value(Activation::kGelu, -40.0) == 0.0);
  CHECK(attn::activation_value(Activation::kGelu, 1e300) == 1e300);
  CHECK(attn::activation_value(Activation::kGeluTanh, -1e100) == 0.0);
}

TEST_CASE("the network refuses what it cannot use, by code",
          "[feed_forward][error]") {
  const Matrix x = Matrix::Ones(2, 3);
  const FeedForward good{Matrix::Ones(3, 4), {}, Matrix::Ones(4, 3), {}};
  const auto with = [&](auto change) {
    FeedForward f = good;
    change(f);
    return f;
  };
  CHECK_NOTHROW(attn::feed_forward(x, good));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [&] { attn::feed_forward(Matrix::Ones(2, 2), good); }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    attn::feed_forward(x, with([](auto& f) { f.w2 = Matrix::Ones(5, 3); }));
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] {
    attn::feed_forward(x, with([](auto& f) { f.b1 = {1, 2}; }));
  }));
  CHECK(refuses(ErrorCode::kNotFinite, [&] {
    attn::feed_forward(x, with([](auto& f) {
                         f.b2 = {0, 0, std::numeric_limits<double>::infinity()};
                       }));
  }));
  CHECK(refuses(ErrorCode::kEmptyInput,
                [&] { attn::feed_forward(Matrix(), good); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::feed_forward(Matrix::Ones(4096, 1),
                       {Matrix::Ones(1, 2048), {}, Matrix::Ones(2048, 1), {}});
  }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::feed_forward_parameters(0, 4, true); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::feed_forward_parameters(1e8, 1e8, true); }));
}
