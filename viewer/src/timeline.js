import { nearestIndex } from './probes.js';

const perSecond = 12; // frames, if they come as fast

/** Which frame is shown: slider, play, keys, and frames that come while one looks. */
export class Timeline {
  #slider;
  #play;
  #live;
  #show;
  #isPlaying = false;
  #isFollowing = false;
  times = [];
  number = 0;

  /** `show(number)`: a promise, kept when the frame is on the screen. */
  constructor({ slider, play, live }, show) {
    this.#slider = slider;
    this.#play = play;
    this.#live = live;
    this.#show = show;
    slider.addEventListener('input', () => this.goTo(Number(slider.value)));
    play.addEventListener('click', () => this.toggle());
    live.addEventListener('click', () => {
      this.stop();
      this.#goTo(this.times.length - 1);
    });
    document.addEventListener('keydown', (event) => this.#key(event));
  }

  get isPlaying() {
    return this.#isPlaying;
  }

  /** Times of all frames; those who look at the newest go on to the next that comes. */
  setTimes(times) {
    const hadNone = this.times.length === 0;
    const grew = times.length > this.times.length;
    const wasLast = this.#isFollowing;
    this.times = times;
    this.#slider.max = Math.max(0, times.length - 1);
    if (grew && !hadNone) this.#live.hidden = false;
    if (times.length === 0) return;
    if (hadNone) this.#goTo(0);
    else if (this.number >= times.length || (grew && wasLast && !this.#isPlaying))
      this.#goTo(times.length - 1);
    this.#tell();
  }

  goTo(number) {
    this.stop();
    this.#goTo(number);
  }

  goToTime(time) {
    if (this.times.length > 0) this.goTo(nearestIndex(this.times, time));
  }

  toggle() {
    this.#isPlaying ? this.stop() : this.#start();
  }

  stop() {
    this.#isPlaying = false;
    this.#tell();
  }

  #tell() {
    this.#isFollowing = this.number === this.times.length - 1;
    this.#live.classList.toggle('on', this.#isFollowing);
    this.#play.textContent = this.#isPlaying ? '❚❚' : '▶';
    this.#play.setAttribute('aria-label', this.#isPlaying ? 'Stop' : 'Play');
    this.#play.disabled = this.times.length < 2;
    this.#slider.disabled = this.times.length < 2;
  }

  #goTo(number) {
    this.number = Math.max(0, Math.min(this.times.length - 1, number));
    this.#slider.value = this.number;
    this.#tell();
    return this.#show(this.number);
  }

  async #start() {
    if (this.times.length < 2) return;
    this.#isPlaying = true;
    if (this.number === this.times.length - 1) await this.#goTo(0);
    this.#tell();
    while (this.#isPlaying && this.number < this.times.length - 1) {
      const begin = performance.now();
      await this.#goTo(this.number + 1);
      const left = 1000 / perSecond - (performance.now() - begin);
      await new Promise((go) => setTimeout(go, Math.max(0, left)));
    }
    this.stop();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target.matches?.('input[type=text], select');
    const isSlider = event.target.matches?.('input[type=range]');
    if (isTyping || (event.key === ' ' && event.target.matches?.('button, input[type=checkbox]'))) return;
    const last = this.times.length - 1;
    const to = { ArrowLeft: this.number - 1, ArrowRight: this.number + 1, Home: 0, End: last }[event.key];
    if (event.key === ' ') this.toggle();
    else if (to === undefined || (isSlider && event.target !== this.#slider)) return;
    else if (last > 0) this.goTo(to);
    event.preventDefault();
  }
}
