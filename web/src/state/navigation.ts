// Moving between pages without loading them anew, with the browser's own history.
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { type PageName, type Patch, type Place, hrefOf, patched, placeOf } from "./route";

export interface Navigation {
  place: Place;
  /** Changes the query; `quiet` replaces the entry of the history, as for each letter of a search. */
  change(patch: Patch, quiet?: boolean): void;
  href(page: PageName, patch?: Patch): string;
  go(href: string): void;
}

export const NavigationContext = createContext<Navigation | null>(null);

/** Returns the place and the ways to leave it. */
export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new Error("a part of the page stands outside of the page");
  return navigation;
}

/** Follows the address; used once, by the whole page. */
export function useAddress(start: PageName): Navigation {
  const [place, setPlace] = useState<Place>(() => ({ page: start, query: new URLSearchParams(location.search) }));
  const read = (): void => setPlace(placeOf(new URL(location.href), new URL(location.href)) ?? place);
  const go = (href: string): void => {
    history.replaceState({ y: scrollY }, "");
    history.pushState({ y: 0 }, "", href);
    read();
    scrollTo(0, 0);
  };
  useEffect(() => {
    const followed = (event: MouseEvent): void => followLink(event, go);
    const returned = (event: PopStateEvent): void => {
      read();
      const y = (event.state as { y?: number } | null)?.y ?? 0;
      requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, y)));
    };
    history.scrollRestoration = "manual";
    addEventListener("click", followed);
    addEventListener("popstate", returned);
    return () => {
      removeEventListener("click", followed);
      removeEventListener("popstate", returned);
    };
  }, []);
  return { place, go, href: (page, patch) => hrefOf(page, patch, place.query), change: (patch, quiet) => change(patch, quiet ?? false, read) };
}

function change(patch: Patch, quiet: boolean, read: () => void): void {
  const query = patched(new URLSearchParams(location.search), patch).toString();
  if (query === location.search.slice(1)) return;
  const href = location.pathname + (query && `?${query}`) + location.hash;
  if (quiet) history.replaceState(history.state, "", href);
  else {
    history.replaceState({ y: scrollY }, "");
    history.pushState({ y: scrollY }, "", href);
  }
  read();
}

/** Takes a plain click on a link to a page of this site; all others are the browser's. */
function followLink(event: MouseEvent, go: (href: string) => void): void {
  const link = (event.target as Element | null)?.closest?.("a");
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute("download") || !link.href) return;
  const address = new URL(link.href);
  if (address.hash && address.pathname === location.pathname && address.search === location.search) return;
  if (!placeOf(address, new URL(location.href))) return;
  event.preventDefault();
  go(link.href);
}
