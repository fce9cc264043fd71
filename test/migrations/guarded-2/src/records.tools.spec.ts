import { RecordsTools } from './records.tools';

it('tells who is logged in', () => {
  expect(new RecordsTools().whoAmI({}, { user: { name: 'Ada' } }).content[0].text).toBe('Ada');
});
