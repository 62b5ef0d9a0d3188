// Light or dark: as the system says, or as the address says.
import { useEffect, useState } from "preact/hooks";
import { useNavigation } from "./navigation";

export type Theme = "light" | "dark";

/** Returns the theme in force, and marks the document with the one that was chosen. */
export function useTheme(): { theme: Theme; toggle(): void } {
  const { place, change } = useNavigation();
  const asked = place.query.get("theme");
  const [system, setSystem] = useState<Theme>(systemTheme);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const follow = (): void => setSystem(systemTheme());
    query.addEventListener("change", follow);
    return () => query.removeEventListener("change", follow);
  }, []);
  const theme = asked === "dark" || asked === "light" ? asked : system;
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
  const other = theme === "dark" ? "light" : "dark";
  return { theme, toggle: () => change({ theme: other === system ? null : other }, true) };
}

function systemTheme(): Theme {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}
