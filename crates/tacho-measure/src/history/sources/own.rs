//! Our own repository for one of the user's: made, and given the user's refs, objects and settings.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::Sources;
use crate::git::command;
use crate::history::{HistoryError, folder};

/// The settings of the user's repository that decide from where things are fetched.
const REMOTE_SETTINGS: &str = r"^(extensions\.partialclone|remote\..*\.(url|promisor|partialclonefilter))$";

impl Sources {
    /// Brings our own repository to the state of the user's, once for this value.
    pub(super) fn prepare(&self) -> Result<(), HistoryError> {
        // What a thread that panicked has half done, this one does again.
        let mut is_prepared = self.is_prepared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !*is_prepared {
            let _lock = self.lock()?;
            make_folder(&self.trees)?;
            if !self.repository.is_mirror() {
                if !self.git_dir.join("HEAD").is_file() {
                    self.init()?;
                }
                folder::remove_stale_locks(&self.git_dir);
                self.borrow_objects()?;
                self.copy_settings()?;
                self.copy_refs()?;
            }
            *is_prepared = true;
        }
        Ok(())
    }

    fn init(&self) -> Result<(), HistoryError> {
        let format = self.repository.ask(["rev-parse", "--show-object-format"])?;
        // Before git 2.28 there is but one.
        let format = if format.ok() { format!("--object-format={}", format.stdout()) } else { "--bare".to_owned() };
        let cache = self.git_dir.parent().unwrap_or(&self.git_dir);
        let name = self.git_dir.file_name().unwrap_or_default().to_string_lossy();
        let unfinished = format!("{name}.new");
        folder::remove(&self.git_dir)?;
        folder::remove(&cache.join(&unfinished))?;
        self.ask(cache, &["init", "--quiet", "--bare", "--template=", &format, &unfinished])?.success()?;
        fs::rename(cache.join(&unfinished), &self.git_dir).map_err(|source| HistoryError::Cache {
            doing: "finish the repository",
            path: self.git_dir.clone(),
            source,
        })
    }

    /// Names the user's object stores, and where a shallow clone ends, as git wants them named.
    fn borrow_objects(&self) -> Result<(), HistoryError> {
        let mut stores = Vec::new();
        collect_stores(self.repository.objects(), &mut stores);
        let mut text = Vec::new();
        for store in stores {
            text.extend_from_slice(store.as_os_str().as_bytes());
            text.push(b'\n');
        }
        let info = self.git_dir.join("objects/info");
        make_folder(&info)?;
        write_if_new(&info.join("alternates"), &text)?;
        let ends = self.git_dir.join("shallow");
        match fs::read(self.repository.git_dir().join("shallow")) {
            Ok(text) => write_if_new(&ends, &text),
            Err(_) => folder::remove(&ends),
        }
    }

    /// Takes over from where submodules with relative addresses, and what a partial clone lacks, are fetched.
    fn copy_settings(&self) -> Result<(), HistoryError> {
        let users = self.repository.config(REMOTE_SETTINGS)?.unwrap_or_default();
        let wanted = wanted_settings(&users, &self.top());
        let own = self.ask(&self.git_dir, &["config", "--local", "-z", "--list"])?.success()?;
        let own = String::from_utf8_lossy(&own).into_owned();
        let own: HashSet<&str> = own.split('\0').collect();
        for (name, value) in wanted.iter().filter(|(name, value)| !own.contains(format!("{name}\n{value}").as_str())) {
            self.ask(&self.git_dir, &["config", "--local", "--replace-all", name, value])?.success()?;
        }
        Ok(())
    }

    /// Gives our repository the user's branches and tags, from which projects tell their version.
    fn copy_refs(&self) -> Result<(), HistoryError> {
        let list = ["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"];
        let users = refs(&self.repository.ask(list)?.success()?);
        let own = refs(&self.ask(&self.git_dir, &list)?.success()?);
        // In two steps: a branch may have become a folder of branches.
        let gone = own.keys().filter(|name| !users.contains_key(*name));
        let gone: String = gone.map(|name| format!("delete {name}\n")).collect();
        let new = users.iter().filter(|(name, object)| own.get(*name) != Some(object));
        let new: String = new.map(|(name, object)| format!("update {name} {object}\n")).collect();
        for input in [&gone, &new].into_iter().filter(|input| !input.is_empty()) {
            let words = ["update-ref", "--no-deref", "--stdin"];
            command::run(&self.git_dir, &self.variables, words, input.as_bytes())?.success()?;
        }
        if own.is_empty() && !users.is_empty() {
            // One file instead of one for each; only faster, so what goes wrong is no matter.
            let _ = self.ask(&self.git_dir, &["pack-refs", "--all"])?;
        }
        Ok(())
    }

    /// Returns the folder from which the user's repository reads relative paths.
    fn top(&self) -> PathBuf {
        let common = self.repository.git_dir();
        let is_inner = common.file_name().is_some_and(|name| name == ".git");
        common.parent().filter(|_| is_inner).unwrap_or(common).to_owned()
    }
}

fn make_folder(path: &Path) -> Result<(), HistoryError> {
    fs::create_dir_all(path).map_err(|source| HistoryError::Cache {
        doing: "make the folder",
        path: path.to_owned(),
        source,
    })
}

/// Collects an object store and those that it borrows from. Named one by one, because git follows no relative
/// path in a borrowed store's own list.
fn collect_stores(store: &Path, stores: &mut Vec<PathBuf>) {
    let store = store.canonicalize().unwrap_or_else(|_| store.to_owned());
    // A newline cannot stand in the list, and git warns of what is not there.
    if stores.contains(&store) || store.as_os_str().as_bytes().contains(&b'\n') || !store.is_dir() {
        return;
    }
    stores.push(store.clone());
    let list = fs::read(store.join("info/alternates")).unwrap_or_default();
    for line in list.split(|byte| *byte == b'\n').filter(|line| !line.is_empty() && line[0] != b'#') {
        collect_stores(&store.join(OsStr::from_bytes(line)), stores);
    }
}

fn write_if_new(path: &Path, text: &[u8]) -> Result<(), HistoryError> {
    let failed = |source: io::Error| HistoryError::Cache { doing: "write", path: path.to_owned(), source };
    if fs::read(path).is_ok_and(|found| found == text) {
        return Ok(());
    }
    let new = path.with_extension("new");
    fs::write(&new, text).and_then(|()| fs::rename(&new, path)).map_err(failed)
}

fn refs(listed: &[u8]) -> BTreeMap<String, String> {
    let listed = String::from_utf8_lossy(listed);
    let pairs = listed.lines().filter_map(|line| line.split_once(' '));
    pairs.map(|(object, name)| (name.to_owned(), object.to_owned())).collect()
}

/// Returns the settings for our repository: `origin`'s address, and the remotes from which objects may be missing.
fn wanted_settings(users: &[(String, String)], top: &Path) -> BTreeMap<String, String> {
    let get = |name: &str| users.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str());
    let mut wanted = BTreeMap::new();
    let any_address = users.iter().find(|(name, _)| name.ends_with(".url")).map(|(_, value)| value.as_str());
    // Without a remote git takes relative addresses from the repository itself.
    let origin = get("remote.origin.url").or(any_address).map(|address| absolute(address, top));
    wanted.insert("remote.origin.url".to_owned(), origin.unwrap_or_else(|| top.to_string_lossy().into_owned()));
    for (name, value) in users.iter().filter(|(name, _)| name.ends_with(".promisor")) {
        wanted.insert(name.clone(), value.clone());
        let remote = name.trim_end_matches(".promisor");
        for setting in ["url", "partialclonefilter"].map(|setting| format!("{remote}.{setting}")) {
            if let Some(value) = get(&setting) {
                let value = if setting.ends_with(".url") { absolute(value, top) } else { value.to_owned() };
                wanted.insert(setting, value);
            }
        }
    }
    if let Some(remote) = get("extensions.partialclone") {
        // git reads extensions from this format on.
        wanted.insert("core.repositoryformatversion".to_owned(), "1".to_owned());
        wanted.insert("extensions.partialclone".to_owned(), remote.to_owned());
    }
    wanted
}

/// Returns an address with a relative path made one from the root.
fn absolute(address: &str, top: &Path) -> String {
    let is_path = !address.contains("://") && !address.split('/').next().is_some_and(|first| first.contains(':'));
    if is_path && !address.starts_with('/') {
        top.join(address).to_string_lossy().into_owned()
    } else {
        address.to_owned()
    }
}
