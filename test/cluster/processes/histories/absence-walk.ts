import { FaultyWalk } from './faulty-walk.js';

/** What is done while Redis is away, by how often. */
const MEANWHILE = { say: 6, burst: 2, lose: 4, update: 2, changeLevel: 4, standStill: 1 };

/** Steps while Redis is away, at most and at least. */
const MOST_STEPS = 24;
const LEAST_STEPS = 6;

/** Takes Redis and processes away, several at once, while clients change what they want, come and go. */
export class AbsenceWalk extends FaultyWalk {
  /** Redis answers nothing for longer than processes wait for it, and then goes on. */
  async hangRedis(): Promise<void> {
    this.cluster.redis.pause();
    await this.#passTime();
    this.cluster.redis.resume();
    await this.#goOn();
  }

  /** A process is killed while Redis answers nothing. */
  async hangAndKill(): Promise<void> {
    this.cluster.redis.pause();
    await this.#passTime();
    const index = this.anyProcess();
    await this.say(index, true);
    await this.kill(index);
    this.stopped.add(index);
    this.cluster.redis.resume();
    await this.cluster.replace(index);
    this.stopped.delete(index);
    await this.#goOn();
  }

  /** The same, as soon as it has answered: it has not noticed yet that Redis hangs. */
  async killAtOnce(): Promise<void> {
    const index = this.anyProcess();
    this.cluster.redis.pause();
    await Promise.all(Array.from({ length: 7 }, () => this.say(index)));
    await this.kill(index);
    this.stopped.add(index);
    this.cluster.redis.resume();
    await this.cluster.replace(index);
    this.stopped.delete(index);
    await this.#goOn();
  }

  /** Redis is killed, comes back with its data, and clients have changed their levels. */
  async restartWithLevels(): Promise<void> {
    await this.cluster.redis.kill();
    await this.#passTime();
    await this.changeLevel();
    await this.cluster.redis.start();
    await this.#goOn();
  }

  /** The connections of all processes break, and break again while they come back. */
  async cutConnections(): Promise<void> {
    await this.cutRedis();
    await this.changeLevel();
    await this.cutRedis();
    await this.#goOn();
  }

  /** A process stands still while Redis is away, and goes on with what it knew. */
  async standStill(): Promise<void> {
    if (this.stopped.size > 0) return;
    const index = this.anyProcess();
    this.cluster.at(index).signal('SIGSTOP');
    this.stopped.add(index);
    for (let count = 0; count < 3; count += 1) await this.say();
    await this.lose();
    this.cluster.at(index).signal('SIGCONT');
    this.stopped.delete(index);
  }

  /** A client changes its level at the process that has its stream: nothing below it comes from then on. */
  async changeLevel(): Promise<void> {
    const walker = this.dice.pick(
      this.walkers.filter(({ at, stream }) => !stream.isAway && !this.stopped.has(at)),
    );
    await this.wantLevel(walker, this.anyLevel(), walker.at);
  }

  async #passTime(): Promise<void> {
    const count = LEAST_STEPS + this.dice.throw(MOST_STEPS - LEAST_STEPS);
    for (let step = 0; step < count; step += 1) await this.go(MEANWHILE);
  }

  /** What comes back is used at once, and then all is compared. */
  async #goOn(): Promise<void> {
    for (let step = this.dice.throw(12); step > 0; step -= 1) await this.go(MEANWHILE);
    if (this.dice.throw(3) > 0) await this.settle();
  }
}
