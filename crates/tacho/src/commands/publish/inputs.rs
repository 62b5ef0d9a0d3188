//! What a site was made from, remembered in the cache: where it is the same and the site is there, nothing has to be done.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use tacho_store::{SiteFolder, Store};

use crate::error::Result;
use crate::history_index::with_way_out;
use crate::settings::Settings;

/// A site's inputs, and where they are remembered.
pub(super) struct Inputs {
    digest: String,
    file: PathBuf,
}

impl Inputs {
    /// Takes in everything that goes into a site.
    pub(super) fn of(
        index: &Path,
        settings: &Settings,
        no_raw: bool,
        place: &SiteFolder,
        store: &Store,
    ) -> Result<Inputs> {
        let mut hasher = DefaultHasher::new();
        let bands = format!("{:?} {:?}", settings.band_percent.value, settings.bands);
        tacho_query::made_from(index).map_err(|error| with_way_out(error.into()))?.hash(&mut hasher);
        (env!("CARGO_PKG_VERSION"), &settings.project.value, &settings.repo.value, bands, no_raw).hash(&mut hasher);
        let mut of_place = DefaultHasher::new();
        place.path().hash(&mut of_place);
        let file = store.cache_folder()?.join("site").join(format!("{:016x}", of_place.finish()));
        Ok(Inputs { digest: format!("{:016x}", hasher.finish()), file })
    }

    /// Returns true where the site that is there is the one that was made from this.
    pub(super) fn made(&self, place: &SiteFolder) -> bool {
        let known = std::fs::read_to_string(&self.file).unwrap_or_default();
        place.digest().is_some_and(|site| known == self.text(&site))
    }

    /// Remembers the site that was made. Where that is not possible the next time is as long as this one.
    pub(super) fn remember(&self, site: &str) {
        let folder = self.file.parent().unwrap_or(Path::new("/"));
        let _ = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&self.file, self.text(site)));
    }

    fn text(&self, site: &str) -> String {
        format!("{} {site}", self.digest)
    }
}
