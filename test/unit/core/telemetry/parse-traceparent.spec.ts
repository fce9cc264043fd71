import { describe, expect, it } from '@jest/globals';
import { parseTraceparent } from '../../../../lib/core/telemetry/trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('parseTraceparent (W3C Trace Context §3.2)', () => {
  it('reads the span that a header names, as one of another process (TRACE-02)', () => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      traceFlags: 1,
      isRemote: true,
    });
  });

  it.each([
    ['00', 0],
    ['01', 1],
    ['03', 3],
    ['fc', 0],
    ['ff', 3],
  ])('reads of the flags %s those that are defined (TRACE-02)', (flags, traceFlags) => {
    expect(parseTraceparent(`00-${TRACE}-${SPAN}-${flags}`)).toMatchObject({ traceFlags });
  });

  it.each([`cc-${TRACE}-${SPAN}-01`, `cc-${TRACE}-${SPAN}-01-`, `01-${TRACE}-${SPAN}-01-what-comes.later`])(
    'reads of a later version what it knows: %s (TRACE-02)',
    (value) => {
      expect(parseTraceparent(value)).toMatchObject({ traceId: TRACE, spanId: SPAN, traceFlags: 1 });
    },
  );

  it.each([
    ['nothing', ''],
    ['a version that is forbidden', `ff-${TRACE}-${SPAN}-01`],
    ['a version of one digit', `0-${TRACE}-${SPAN}-01`],
    ['no version', `${TRACE}-${SPAN}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a trace that is too short', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a trace that is too long', `00-${TRACE}0-${SPAN}-01`],
    ['a span that is too short', `00-${TRACE}-${SPAN.slice(1)}-01`],
    ['no flags', `00-${TRACE}-${SPAN}`],
    ['flags of one digit', `00-${TRACE}-${SPAN}-1`],
    ['flags that are not hexadecimal', `00-${TRACE}-${SPAN}-0x`],
    ['more than version 00 has', `00-${TRACE}-${SPAN}-01-more`],
    ['a dash too many', `00-${TRACE}-${SPAN}-01-`],
    ['more without a dash', `01-${TRACE}-${SPAN}-01.more`],
    ['space around it', ` 00-${TRACE}-${SPAN}-01 `],
    ['a line break', `01-${TRACE}-${SPAN}-01-\n`],
    ['two of them', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
    ['more than anybody needs', `01-${TRACE}-${SPAN}-01-${'x'.repeat(512)}`],
    ['a list', [`00-${TRACE}-${SPAN}-01`]],
    ['no text', 0],
    ['none', undefined],
  ])('reads nothing where there is %s (TRACE-02)', (_, value) => {
    expect(parseTraceparent(value)).toBeUndefined();
  });
});
