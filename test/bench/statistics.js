export function median(values) {
    return findQuantile(sortNumbers(values), 0.5);
}
/** The value below which the given share of the sorted values lies, interpolated between neighbours. */
export function findQuantile(sorted, share) {
    const position = (sorted.length - 1) * share;
    const lower = sorted[Math.floor(position)] ?? Number.NaN;
    const upper = sorted[Math.ceil(position)] ?? Number.NaN;
    return lower + (upper - lower) * (position - Math.floor(position));
}
export function sortNumbers(values) {
    return values.toSorted((left, right) => left - right);
}
