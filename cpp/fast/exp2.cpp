#include "exp2.hpp"

namespace attn::fast {

// A least-maximum polynomial of degree 5 for 2^x on [−½, ½]; 1.5·2^23 is the
// number beside which a float has no room for a fraction.
// NOLINTNEXTLINE(modernize-avoid-c-arrays)
alignas(16) const float kExp2Table[8][kWidth] = {
    {-125, -125, -125, -125},
    {12582912, 12582912, 12582912, 12582912},
    {1.3276472e-3F, 1.3276472e-3F, 1.3276472e-3F, 1.3276472e-3F},
    {9.6755413e-3F, 9.6755413e-3F, 9.6755413e-3F, 9.6755413e-3F},
    {5.5507133e-2F, 5.5507133e-2F, 5.5507133e-2F, 5.5507133e-2F},
    {2.4022675e-1F, 2.4022675e-1F, 2.4022675e-1F, 2.4022675e-1F},
    {6.9314697e-1F, 6.9314697e-1F, 6.9314697e-1F, 6.9314697e-1F},
    {1, 1, 1, 1}};

}  // namespace attn::fast
