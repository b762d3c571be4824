#include <attn/kv_cache.hpp>
#include <string_view>

namespace attn {
namespace {

Matrix appended(std::string_view cache_name, const Matrix& cache,
                std::string_view added_name, const Matrix& added) {
  if (cache.size() == 0) return added;
  require_same_cols(cache_name, cache, added_name, added);
  require_size("the cache", cache.rows() + added.rows(), cache.cols());
  Matrix all(cache.rows() + added.rows(), cache.cols());
  all << cache, added;
  return all;
}

}  // namespace

// #region cache_step
CacheStep cache_step(const Matrix& keys, const Matrix& values, const Matrix& q,
                     const Matrix& k, const Matrix& v) {
  require_same_rows("keys", keys, "values", values);
  require_same_rows("q", q, "k", k);
  CacheStep step;
  step.keys = appended("keys", keys, "k", k);
  step.values = appended("values", values, "v", v);
  AttentionOptions options;
  options.causal = true;
  options.query_offset = keys.rows();
  step.trace = attention(q, step.keys, step.values, options);
  return step;
}
// #endregion cache_step

}  // namespace attn
