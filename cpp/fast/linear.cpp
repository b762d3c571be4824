#include <algorithm>
#include <attn/fast/linear.hpp>

#include "checks.hpp"
#include "product.hpp"

namespace attn::fast {
namespace {

Strided whole(const Matrix& m) { return {m.row(0), m.rows, m.cols, m.cols, 1}; }

void require_linear(const Matrix& x, const Matrix& w) {
  require_valid("x", x);
  require_valid("w", w);
  require_like("w", w, x.cols, w.cols);
  require_size("output", x.rows, w.cols);
}

}  // namespace

Matrix linear(const Matrix& x, const Matrix& w, const std::vector<float>& b) {
  require_linear(x, w);
  require_row("b", b, w.cols);
  Matrix y(x.rows, w.cols);
  if (!b.empty())
    for (Index i = 0; i < y.rows; ++i) std::copy(b.begin(), b.end(), y.row(i));
  add_product(whole(x), whole(w), y.row(0));
  require_no_overflow("the output", y.data);
  return y;
}

LinearGradients linear_gradients(const Matrix& x, const Matrix& w,
                                 const Matrix& d_output) {
  require_linear(x, w);
  require_valid("d_output", d_output);
  require_like("d_output", d_output, x.rows, w.cols);
  LinearGradients g{Matrix(x.rows, x.cols), Matrix(w.rows, w.cols),
                    std::vector<float>(static_cast<std::size_t>(w.cols))};
  add_product(whole(d_output), whole(w).transposed(), g.d_x.row(0));
  add_product(whole(x).transposed(), whole(d_output), g.d_w.row(0));
  for (Index i = 0; i < d_output.rows; ++i)
    for (Index j = 0; j < w.cols; ++j)
      g.d_b[static_cast<std::size_t>(j)] += d_output.row(i)[j];
  require_no_overflow("d_x", g.d_x.data);
  require_no_overflow("d_w", g.d_w.data);
  require_no_overflow("d_b", g.d_b);
  return g;
}

}  // namespace attn::fast
