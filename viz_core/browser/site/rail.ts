// The rail's data on a site: paths below its root, and its own languages.

export type RailData = {
  sections: [name: string, pages: { name: string; href: string }[]][];
  languages: [code: string, name: string][];
};

export function railOf(data: RailData, pathOf: (page: string) => string, languages: readonly string[]) {
  const known = data.languages.filter(([code]) => languages.includes(code));
  return {
    ...data,
    sections: data.sections.map(([section, pages]) => [section, pages.map((page) => ({ ...page, href: pathOf(page.name) }))]),
    languages: known.length > 1 ? known : [],
  };
}
