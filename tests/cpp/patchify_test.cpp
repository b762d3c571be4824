// patchify: order of patches and of the numbers inside one (vectors 15), the
// inverse, and the code of a grid position.
#include <attn/error.hpp>
#include <attn/patchify.hpp>
#include <attn/rng.hpp>
#include <attn/sinusoidal.hpp>
#include <catch.hpp>
#include <limits>

#include "refuses.hpp"
#include "vectors.hpp"

using attn::ErrorCode;
using attn::Image;
using attn::Index;
using attn::Matrix;
using attn::vectors::check_close;
using attn::vectors::load;

namespace {

/// I[r][c][ch] = (r · width + c) · channels + ch
Image counting(int height, int width, int channels) {
  Image image{height, width, channels, {}};
  for (int i = 0; i < height * width * channels; ++i) image.data.push_back(i);
  return image;
}

Image random_image(attn::Rng& rng, int patch) {
  Image image{patch * (1 + rng.below(4)),
              patch * (1 + rng.below(4)),
              1 + rng.below(4),
              {}};
  const int count = image.height * image.width * image.channels;
  for (int i = 0; i < count; ++i) image.data.push_back(rng.normal());
  return image;
}

}  // namespace

TEST_CASE("a 4x4 picture falls into four patches row by row",
          "[patchify][vectors]") {
  const auto c = load("15_patchify", "4x4x1_patch2");
  check_close(attn::patchify(counting(4, 4, 1), c.input.at("patch")),
              c.expected.at("tokens"), c.tolerance);
}

TEST_CASE("a 32x32 colour picture gives four tokens of 768 numbers",
          "[patchify][vectors]") {
  const auto c = load("15_patchify", "32x32x3_patch16");
  const Matrix t = attn::patchify(counting(32, 32, 3), c.input.at("patch"));
  CHECK(t.rows() == c.expected.at("num_tokens").get<Index>());
  CHECK(t.cols() == c.expected.at("token_dim").get<Index>());
  check_close(t.leftCols(6), c.expected.at("first_6"), c.tolerance);
  check_close(t.rightCols(3), c.expected.at("last_3"), c.tolerance);
  check_close(t.middleCols(48, 3), c.expected.at("index_48_first_3"),
              c.tolerance);
  for (Index i = 0; i < t.rows(); ++i)
    CHECK(t.row(i).sum() ==
          c.expected.at("sum").at(static_cast<size_t>(i)).get<double>());
}

TEST_CASE("counts of tokens, widths and attention entries",
          "[patchify][vectors]") {
  const auto c = load("15_patchify", "counts");
  for (size_t i = 0; i < c.input.at("configs").size(); ++i) {
    const auto& config = c.input.at("configs").at(i);
    const auto n = attn::patch_counts(config.at(0), config.at(1), config.at(2));
    CHECK(n.tokens == c.expected.at("tokens").at(i).get<double>());
    CHECK(n.width == c.expected.at("dim").at(i).get<double>());
    CHECK(n.with_class == c.expected.at("with_cls").at(i).get<double>());
    CHECK(n.attention_entries ==
          c.expected.at("attention_entries_per_head_with_cls")
              .at(i)
              .get<double>());
  }
}

TEST_CASE("putting the patches back gives the same picture",
          "[patchify][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    const int patch = 1 + rng.below(3);
    const Image image = random_image(rng, patch);
    const Matrix tokens = attn::patchify(image, patch);
    const Image back = attn::unpatchify(tokens, image.height, image.width,
                                        image.channels, patch);
    REQUIRE(back.data == image.data);
    const auto counted = static_cast<Index>(image.data.size());
    REQUIRE(tokens.size() == counted);
  }
}

TEST_CASE("the mean of the patch means is the mean of the picture",
          "[patchify][property]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    attn::Rng rng(seed);
    const int patch = 1 + rng.below(3);
    const Image image = random_image(rng, patch);
    double sum = 0;
    for (const double v : image.data) sum += v;
    REQUIRE(attn::patch_means(image, patch).mean() ==
            Approx(sum / static_cast<double>(image.data.size())).margin(1e-9));
  }
}

TEST_CASE("a grid position is the code of its row beside that of its column",
          "[patchify]") {
  const Matrix p = attn::grid_positions(3, 5, 8);
  const Matrix code = attn::sinusoidal_table(5, 4, 10000);
  REQUIRE(p.rows() == 15);
  for (Index r = 0; r < 3; ++r)
    for (Index c = 0; c < 5; ++c) {
      CHECK(p.row(r * 5 + c).head(4) == code.row(r));
      CHECK(p.row(r * 5 + c).tail(4) == code.row(c));
    }
}

TEST_CASE("pictures that cannot be cut are refused by code",
          "[patchify][error]") {
  Image bad = counting(4, 4, 1);
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] { attn::patchify(bad, 3); }));
  CHECK(refuses(ErrorCode::kInvalidArgument, [&] { attn::patchify(bad, 0); }));
  CHECK(refuses(ErrorCode::kEmptyInput, [] { attn::patchify(Image{}, 1); }));
  bad.data.pop_back();
  CHECK(refuses(ErrorCode::kShapeMismatch, [&] { attn::patchify(bad, 2); }));
  bad.data.push_back(std::numeric_limits<double>::quiet_NaN());
  CHECK(refuses(ErrorCode::kNotFinite, [&] { attn::patchify(bad, 2); }));
  CHECK(refuses(ErrorCode::kTooLarge, [] {
    attn::patchify(Image{1 << 20, 1 << 20, 3, {}}, 1);
  }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [] { attn::unpatchify(Matrix::Zero(4, 4), 4, 4, 3, 2); }));
  CHECK(refuses(ErrorCode::kInvalidArgument,
                [] { attn::grid_positions(2, 2, 6); }));
  CHECK(refuses(ErrorCode::kTooLarge,
                [] { attn::grid_positions(2048, 2048, 8); }));
  CHECK(refuses(ErrorCode::kShapeMismatch,
                [] { attn::patch_counts(225, 16, 3); }));
  CHECK(
      refuses(ErrorCode::kTooLarge, [] { attn::patch_counts(1 << 20, 1, 3); }));
}
