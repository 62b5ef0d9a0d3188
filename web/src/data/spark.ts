// The values of a sparkline. A text of a sign a value is a fifth as long as a list of numbers, and most of the first file is sparklines.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Returns values between 0 and 1 from a list, or from a text in which `0` to `9`, `A` to `Z`, `a` to `z` stand for 0 to 1 and all else for nothing. */
export function sparkValues(spark: string | (number | null)[]): (number | null)[] {
  if (typeof spark !== "string") return spark;
  return [...spark].map((sign) => {
    const digit = DIGITS.indexOf(sign);
    return digit < 0 ? null : digit / (DIGITS.length - 1);
  });
}
