//! SHA-256, as hexadecimal text.

use sha2::{Digest, Sha256};

/// A digest of bytes that arrive piece by piece.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hasher(Sha256);

impl Hasher {
    /// Takes more bytes in.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the digest of all bytes so far, as 64 hexadecimal digits.
    pub(crate) fn hex(&self) -> String {
        self.0.clone().finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Returns the digest of `bytes` as 64 hexadecimal digits.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    let mut hasher = Hasher::default();
    hasher.update(bytes);
    hasher.hex()
}
