// counted: a number that keeps the account of what is done with it.
#include <attn/counted.hpp>
#include <catch.hpp>
#include <cmath>

using attn::Counted;
using attn::Tally;

TEST_CASE("each kind of operation is entered once", "[counted]") {
  Tally tally;
  const Counted a(2, tally);
  const Counted b(3, tally);
  CHECK((a * b + a - b).value() == 5);
  CHECK((a / b).value() == 2.0 / 3.0);
  CHECK(exp(-a).value() == std::exp(-2.0));
  CHECK(a < b);
  CHECK(tally.multiplications == 1);
  CHECK(tally.additions == 2);
  CHECK(tally.divisions == 1);
  CHECK(tally.exponentials == 1);
}

TEST_CASE("a constant counts for whoever it is combined with", "[counted]") {
  Tally one;
  Tally other;
  Counted x(1, one);
  x *= 2;
  x += Counted(4) - 1;
  CHECK(x.value() == 5);
  CHECK(one.multiplications == 1);
  CHECK(one.additions == 1);
  CHECK((2 / Counted(4, other)).value() == 0.5);
  CHECK(other.divisions == 1);
  CHECK(one.divisions == 0);
}
