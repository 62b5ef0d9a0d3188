//! Random numbers that are the same on every machine.

/// A generator of the kind splitmix64: G. L. Steele, D. Lea and C. H. Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Returns the generator of one series: another one for each seed, purpose and number.
    pub fn new(seed: u64, purpose: &str, number: usize) -> Random {
        let mut random = Random(seed);
        for word in purpose.bytes().map(u64::from).chain([number as u64]) {
            random.0 = random.next() ^ word;
        }
        random
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform in (0, 1).
    pub fn uniform(&mut self) -> f64 {
        ((self.next() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// One of 0 to `n - 1`; `n` is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.uniform() * n as f64) as usize).min(n - 1)
    }

    /// Standard normal, by Box and Muller.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(self.uniform())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.uniform())
    }

    /// 1 or -1.
    pub fn sign(&mut self) -> f64 {
        if self.uniform() < 0.5 { -1.0 } else { 1.0 }
    }
}
