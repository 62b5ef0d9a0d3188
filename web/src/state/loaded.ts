// Something that is being fetched.
import { useEffect, useState } from "preact/hooks";

export interface Loaded<T> {
  value?: T;
  error?: Error;
}

/** Returns what `load` gives once it is there; `key` tells when to load anew. What belongs to another key is not shown. */
export function useLoaded<T>(load: () => Promise<T>, key: string): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T> & { key?: string }>({});
  useEffect(() => {
    let isWanted = true;
    load().then(
      (value) => isWanted && setLoaded({ key, value }),
      (error: Error) => isWanted && setLoaded({ key, error }),
    );
    return () => {
      isWanted = false;
    };
  }, [key]);
  return loaded.key === key ? loaded : {};
}
