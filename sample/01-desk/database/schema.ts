/** The channel on which the database itself announces each change of a ticket. */
export const TICKET_CHANNEL = 'desk_ticket_changed';

/** Creates what is missing; the lock keeps two desks that start at once on one database apart. */
export const SCHEMA = `
begin;
select pg_advisory_xact_lock(hashtext('desk'));

create schema if not exists desk;
create sequence if not exists desk.ticket_numbers start 1001;

create table if not exists desk.tickets (
  id          text primary key default 'T-' || nextval('desk.ticket_numbers'),
  subject     text not null,
  description text not null,
  customer    text not null,
  priority    text not null default 'normal' check (priority in ('low', 'normal', 'high', 'urgent')),
  status      text not null default 'open' check (status in ('open', 'waiting', 'closed')),
  resolution  text,
  opened_at   timestamptz not null default now(),
  closed_at   timestamptz,
  check ((status = 'closed') = (closed_at is not null))
);

create or replace function desk.announce_ticket() returns trigger language plpgsql as $$
begin
  perform pg_notify('${TICKET_CHANNEL}', json_build_object('id', new.id, 'customer', new.customer)::text);
  return null;
end $$;

create or replace trigger announce_ticket
  after insert or update on desk.tickets
  for each row execute function desk.announce_ticket();

commit;
`;
