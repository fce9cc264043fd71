/** Fills an empty desk with the tickets of an ordinary week. */
export const SEED = `
insert into desk.tickets (subject, description, customer, priority, status, resolution, opened_at, closed_at)
select subject, description, customer, priority, status, resolution, now() - opened, now() - closed
from (values
  ('Label printer prints blank pages', 'After the last update each label is followed by two blank ones.',
   'ironbridge-cycles', 'normal', 'closed', 'Driver 4.2 installed; test labels come out right.', interval '9 days', interval '7 days'),
  ('Invoice shows the tax twice', 'The PDF adds the tax to a total that already has it. The web page is right.',
   'blue-kettle-cafe', 'high', 'open', null, interval '8 days', null),
  ('Password mail never arrives', 'Two colleagues asked for a new password; nothing came, not even into spam.',
   'tidewater-clinic', 'high', 'waiting', null, interval '6 days', null),
  ('Export stops at 10,000 rows', 'The stock list has 14,300 rows; the file ends at 10,000 without a warning.',
   'harbour-freight', 'normal', 'open', null, interval '5 days', null),
  ('Booking page shows the wrong time zone', 'Appointments made on a phone are one hour late in the calendar.',
   'tidewater-clinic', 'urgent', 'open', null, interval '3 days', null),
  ('Please add a second warehouse', 'We open a warehouse next month and want to see both stocks side by side.',
   'harbour-freight', 'low', 'waiting', null, interval '3 days', null),
  ('Scanner loses its connection', 'Every afternoon around four the handheld scanner has to be paired again.',
   'ironbridge-cycles', 'normal', 'open', null, interval '2 days', null),
  ('Cannot delete an archived menu', 'The button is grey, though the menu is used by no branch.',
   'blue-kettle-cafe', 'low', 'open', null, interval '44 hours', null),
  ('Timetable import mixes up rooms', 'Rooms 12 and 21 are swapped in every class of the imported timetable.',
   'orchard-school', 'high', 'open', null, interval '30 hours', null),
  ('Card terminal declines every payment', 'Since this morning all cards are declined; the terminal itself is online.',
   'blue-kettle-cafe', 'urgent', 'closed', 'Certificate of the terminal renewed.', interval '26 hours', interval '25 hours'),
  ('How do we invite substitute teachers?', 'They need to see the timetable of one day, and nothing else.',
   'orchard-school', 'normal', 'open', null, interval '6 hours', null),
  ('Freight labels miss the country', 'The carrier sends parcels back: the country line is empty since last night.',
   'harbour-freight', 'urgent', 'open', null, interval '50 minutes', null)
) as seed (subject, description, customer, priority, status, resolution, opened, closed)
where not exists (select from desk.tickets);
`;
