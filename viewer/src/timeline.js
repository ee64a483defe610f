import { nearestIndex } from './probes.js';

const framesPerSecond = 12; // at most, while playing

/** The displayed frame: slider, playback, keys, and following a run in progress. */
export class Timeline {
  #slider;
  #play;
  #latest;
  #display;
  #isPlaying = false;
  #isFollowing = false;
  times = [];
  index = 0;

  /** `display(index)` returns a promise that is fulfilled when the frame is displayed. */
  constructor({ slider, play, latest }, display) {
    this.#slider = slider;
    this.#play = play;
    this.#latest = latest;
    this.#display = display;
    slider.addEventListener('input', () => this.goTo(Number(slider.value)));
    play.addEventListener('click', () => this.toggle());
    latest.addEventListener('click', () => {
      this.pause();
      this.#goTo(this.times.length - 1);
    });
    document.addEventListener('keydown', (event) => this.#key(event));
  }

  get isPlaying() {
    return this.#isPlaying;
  }

  /** Sets the times of all frames. If the latest frame is displayed, follows to the new latest one. */
  setTimes(times) {
    const wasEmpty = this.times.length === 0;
    const grew = times.length > this.times.length;
    const wasFollowing = this.#isFollowing;
    this.times = times;
    this.#slider.max = Math.max(0, times.length - 1);
    if (grew && !wasEmpty) this.#latest.hidden = false;
    if (times.length === 0) return;
    if (wasEmpty) this.#goTo(0);
    else if (this.index >= times.length || (grew && wasFollowing && !this.#isPlaying))
      this.#goTo(times.length - 1);
    this.#update();
  }

  goTo(index) {
    this.pause();
    this.#goTo(index);
  }

  goToTime(time) {
    if (this.times.length > 0) this.goTo(nearestIndex(this.times, time));
  }

  toggle() {
    this.#isPlaying ? this.pause() : this.#start();
  }

  pause() {
    this.#isPlaying = false;
    this.#update();
  }

  #update() {
    this.#isFollowing = this.index === this.times.length - 1;
    this.#latest.classList.toggle('on', this.#isFollowing);
    this.#play.textContent = this.#isPlaying ? '❚❚' : '▶';
    this.#play.setAttribute('aria-label', this.#isPlaying ? 'Pause' : 'Play');
    this.#play.disabled = this.times.length < 2;
    this.#slider.disabled = this.times.length < 2;
  }

  #goTo(index) {
    this.index = Math.max(0, Math.min(this.times.length - 1, index));
    this.#slider.value = this.index;
    this.#update();
    return this.#display(this.index);
  }

  async #start() {
    if (this.times.length < 2) return;
    this.#isPlaying = true;
    if (this.index === this.times.length - 1) await this.#goTo(0);
    this.#update();
    while (this.#isPlaying && this.index < this.times.length - 1) {
      const begin = performance.now();
      await this.#goTo(this.index + 1);
      const remaining = 1000 / framesPerSecond - (performance.now() - begin);
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, remaining)));
    }
    this.pause();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target.matches?.('input[type=text], select');
    const isSlider = event.target.matches?.('input[type=range]');
    if (isTyping || (event.key === ' ' && event.target.matches?.('button, input[type=checkbox]'))) return;
    const last = this.times.length - 1;
    const target = { ArrowLeft: this.index - 1, ArrowRight: this.index + 1, Home: 0, End: last }[event.key];
    if (event.key === ' ') this.toggle();
    else if (target === undefined || (isSlider && event.target !== this.#slider)) return;
    else if (last > 0) this.goTo(target);
    event.preventDefault();
  }
}
