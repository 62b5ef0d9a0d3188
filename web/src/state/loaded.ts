// Something that is being fetched.
import { useEffect, useState } from "preact/hooks";

export interface Loaded<T> {
  value?: T;
  error?: Error;
}

/** Returns what `load` gives once it is there; `key` tells when to load anew. The last value stays until the next is there. */
export function useLoaded<T>(load: () => Promise<T>, key: string): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({});
  useEffect(() => {
    let isWanted = true;
    load().then(
      (value) => isWanted && setLoaded({ value }),
      (error: Error) => isWanted && setLoaded({ error }),
    );
    return () => {
      isWanted = false;
    };
  }, [key]);
  return loaded;
}
