/** What a plot colors: our server, servers that do nothing but answer, and other ways to serve MCP. */
export type Kind = 'ours' | 'bare' | 'peer';

/** Colors by their purpose. Shapes differ from the paper by 3 : 1 at least, and text by 4.5 : 1. */
type Palette = Record<'paper' | 'edge' | 'ink' | 'muted' | 'grid' | Kind, string>;

const LIGHT: Palette = {
  paper: '#ffffff',
  edge: '#d1d9e0',
  ink: '#1f2328',
  muted: '#59636e',
  grid: '#e4e8ec',
  ours: '#0969da',
  bare: '#6e7781',
  peer: '#b45f06',
};

const DARK: Palette = {
  paper: '#0d1117',
  edge: '#3d444d',
  ink: '#f0f6fc',
  muted: '#9198a1',
  grid: '#262c36',
  ours: '#4493f8',
  bare: '#8b949e',
  peer: '#d9822b',
};

const KINDS: Kind[] = ['ours', 'bare', 'peer'];
const FONT = `system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif`;

/** The style sheet of every plot: dark for readers whose system is. */
export const STYLE_SHEET = [
  `text { font: 12px ${FONT}; font-variant-numeric: tabular-nums; }`,
  '.title { font-size: 17px; font-weight: 600; }',
  '.ours-label { font-weight: 600; }',
  '.end { text-anchor: end; }',
  '.middle { text-anchor: middle; }',
  '.grid { stroke-width: 1; }',
  '.reference { stroke-width: 1.5; stroke-dasharray: 5 3; fill: none; }',
  '.whisker { stroke-width: 1.5; fill: none; }',
  '.outlined { fill-opacity: 0.25; }',
  '.bar { stroke-width: 1.5; }',
  ...formatColors(LIGHT),
  '@media (prefers-color-scheme: dark) {',
  ...formatColors(DARK).map((rule) => `  ${rule}`),
  '}',
].join('\n');

function formatColors(palette: Palette): string[] {
  const { paper, edge, ink, muted, grid } = palette;
  return [
    `.paper { fill: ${paper}; stroke: ${edge}; }`,
    `text { fill: ${ink}; }`,
    `.muted { fill: ${muted}; }`,
    `.grid { stroke: ${grid}; }`,
    `.reference, .whisker { stroke: ${ink}; }`,
    ...KINDS.map((kind) => `.${kind} { fill: ${palette[kind]}; stroke: ${palette[kind]}; }`),
  ];
}
