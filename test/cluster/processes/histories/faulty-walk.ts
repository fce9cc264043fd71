import { RandomWalk } from './random-walk.js';

/** Ill-treats processes and Redis, one thing at a time. */
export class FaultyWalk extends RandomWalk {
  async killProcess(): Promise<void> {
    const index = this.anyProcess();
    await this.kill(index);
    for (const other of this.cluster.processes.keys()) if (other !== index) await this.say(other);
    await this.cluster.replace(index);
  }

  async endProcess(): Promise<void> {
    const index = this.anyProcess();
    const ended = this.cluster.at(index).stop();
    for (const other of this.cluster.processes.keys()) if (other !== index) await this.say(other);
    await ended;
    await this.cluster.replace(index);
  }

  async stopProcess(): Promise<void> {
    const index = this.anyProcess();
    this.cluster.at(index).signal('SIGSTOP');
    for (let count = 0; count < 5; count += 1) {
      await this.say(
        (index + 1 + this.dice.throw(this.cluster.processes.length - 1)) % this.cluster.processes.length,
      );
    }
    this.cluster.at(index).signal('SIGCONT');
  }

  async restartRedis(): Promise<void> {
    await this.cluster.redis.kill();
    await this.burst();
    await this.lose();
    await this.cluster.redis.start();
  }

  async cutRedis(): Promise<void> {
    await this.cluster.redis.send('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await this.burst();
  }

  /** What is published until all processes know of it may be lost, and records are: clients want again what they wanted. */
  async emptyRedis(): Promise<void> {
    await this.settle();
    this.mayLose = true;
    this.isSure = false;
    await this.cluster.redis.send('FLUSHALL');
    await this.burst();
    this.isSure = false;
    await this.settle();
    for (const walker of this.all()) {
      const [, interest] = walker.interests.at(-1)!;
      await this.want(walker, interest);
    }
  }

  /** Whoever is away then cannot get all of it. */
  async exceedRetention(): Promise<void> {
    await this.leave();
    this.mayLose = true;
    const process = this.anyProcess();
    for (let turn = 0; turn < 30; turn += 1)
      await Promise.all(Array.from({ length: 50 }, () => this.say(process)));
    await this.settle();
    await this.comeBack();
  }
}
