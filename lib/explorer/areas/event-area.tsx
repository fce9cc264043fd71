import type { AreaProps } from './area.js';
import { EntryList } from './entry-list.js';
import { EventView } from './event-view.js';

/** The types of events, and the one that is chosen. */
export function EventArea({ connection, chosen, open }: AreaProps) {
  const { events } = connection.offer;
  const type = events.find(({ name }) => name === chosen);
  return (
    <div class="columns">
      <section aria-label="Choose a type of events">
        <EntryList
          label="events"
          entries={events.map(({ name, title, description }) => ({ key: name, title, text: description }))}
          chosen={chosen}
          onChoose={(name) => open('events', name)}
        />
      </section>
      {type !== undefined && <EventView key={type.name} connection={connection} type={type} />}
    </div>
  );
}
