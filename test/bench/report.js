import {} from './measure.js';
import { median } from './statistics.js';
import { REFERENCE } from './subjects.js';
const COLUMNS = ['subject', 'CPU µs/request', 'slices', 'req/s', 'p50 ms', 'p99 ms', 'bytes', 'ratio'];
const ABSENT = '—';
export function findSummary(result, rowId) {
    const row = result.rows.find((candidate) => candidate.row.id === rowId);
    if (!row || row.samples.length === 0)
        return undefined;
    const pick = (key) => median(row.samples.map((sample) => sample[key]));
    return {
        cpuMicroseconds: pick('cpuMicroseconds'),
        cpuSlices: row.samples.map(({ cpuMicroseconds }) => cpuMicroseconds),
        perSecond: pick('perSecond'),
        p50Milliseconds: pick('p50Milliseconds'),
        p99Milliseconds: pick('p99Milliseconds'),
        bytes: pick('bytes'),
        ratio: findRatio(result, rowId, REFERENCE) ?? Number.NaN,
    };
}
/** The median over the rounds of one row's processor time divided by another's in the same round. */
export function findRatio(result, rowId, referenceId) {
    const samples = (id) => result.rows.find(({ row }) => row.id === id)?.samples ?? [];
    const reference = samples(referenceId);
    const ratios = samples(rowId).flatMap(({ cpuMicroseconds }, round) => {
        const sample = reference[round];
        return sample ? [cpuMicroseconds / sample.cpuMicroseconds] : [];
    });
    return ratios.length === 0 ? undefined : median(ratios);
}
export function formatTable(result) {
    const lines = [COLUMNS, ...result.rows.map((row) => formatRow(result, row))];
    const widths = COLUMNS.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
    const formatted = lines.map((cells) => cells
        .map((cell, column) => column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))
        .join('  '));
    const failures = result.rows.flatMap(({ row, failure }) => failure === undefined ? [] : [`${row.label} failed: ${failure}`]);
    return [`## ${result.workload.title}`, '', ...formatted, ...failures].join('\n');
}
/** Turns the results into plain objects, for `--json`. */
export function toPlain(results) {
    return results.map((result) => ({
        workload: result.workload.name,
        title: result.workload.title,
        rows: result.rows.map(({ row, failure }) => ({
            id: row.id,
            subject: row.label,
            ...findSummary(result, row.id),
            ...(failure === undefined ? {} : { failure }),
        })),
    }));
}
function formatRow(result, { row }) {
    const summary = findSummary(result, row.id);
    if (!summary)
        return [row.label, ...COLUMNS.slice(1).map(() => ABSENT)];
    const [smallest, largest] = [Math.min(...summary.cpuSlices), Math.max(...summary.cpuSlices)];
    return [
        row.label,
        formatMicroseconds(summary.cpuMicroseconds),
        `${formatMicroseconds(smallest)}–${formatMicroseconds(largest)}`,
        summary.perSecond.toFixed(0),
        summary.p50Milliseconds.toFixed(2),
        summary.p99Milliseconds.toFixed(2),
        String(summary.bytes),
        Number.isNaN(summary.ratio) ? ABSENT : summary.ratio.toFixed(2),
    ];
}
function formatMicroseconds(value) {
    return value < 100 ? value.toFixed(1) : value.toFixed(0);
}
