#include <attn/feed_forward.hpp>

#include "parity.hpp"

namespace {

attn::Activation random_activation(attn::Rng& rng) {
  return static_cast<attn::Activation>(rng.below(3));
}

attn::FeedForward network(attn::Rng& rng, attn::Index d) {
  return {parity::matrix(rng, d, 5),
          attn::normals(1, 5),
          parity::matrix(rng, 5, d),
          {},
          random_activation(rng)};
}

}  // namespace

// The tanh form of GELU subtracts nearly equal numbers far below 0.
PARITY(activate, kStack) {
  const auto x = parity::any_matrix(rng, 1, 6, 1, 9);
  return {attn::activate(random_activation(rng), x)};
}
PARITY(feed_forward, kStack) {
  const auto x = parity::any_matrix(rng, 1, 6, 1, 9);
  const auto t = attn::feed_forward(x, network(rng, x.cols()));
  return {t.before, t.hidden, t.output};
}
PARITY(feed_forward_backward, kStack) {
  const auto x = parity::any_matrix(rng, 1, 6, 1, 9);
  const auto f = network(rng, x.cols());
  return {attn::feed_forward_backward(x, f, parity::matrix_like(rng, x))};
}
PARITY(feed_forward_parameters, kBits) {
  return {parity::InOrder{attn::feed_forward_parameters, 1 + rng.below(999),
                          1 + rng.below(999), rng.below(2) == 0}
              .result};
}
