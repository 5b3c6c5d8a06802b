/** "Your turn", heard: for whoever looks away meanwhile. Off until somebody wants it; then the screen stays on, too. */
const KEPT = "tableside-tone";
const NOTES = [587, 880];

interface Awake {
  request(kind: "screen"): Promise<unknown>;
}

export class Tone {
  private sound: AudioContext | null = null;

  /** Remembered by this phone alone. */
  get wanted(): boolean {
    try {
      return localStorage.getItem(KEPT) === "on";
    } catch {
      return false; // a browser that keeps nothing keeps no wish either
    }
  }

  /** Called by a finger: only then does a browser let a page make sound, or keep the screen on (and that only over TLS). */
  want(wanted: boolean): void {
    try {
      localStorage.setItem(KEPT, wanted ? "on" : "off");
    } catch {
      return;
    }
    if (!wanted) return;
    this.play();
    const awake = (navigator as { wakeLock?: Awake }).wakeLock;
    awake?.request("screen").catch(() => undefined);
  }

  /** Two short notes. */
  play(): void {
    if (typeof AudioContext === "undefined") return;
    this.sound ??= new AudioContext();
    const from = this.sound.currentTime;
    NOTES.forEach((hertz, i) => {
      const sound = this.sound as AudioContext;
      const [note, level, start] = [sound.createOscillator(), sound.createGain(), from + i * 0.16];
      note.frequency.value = hertz;
      level.gain.setValueAtTime(0.12, start);
      level.gain.exponentialRampToValueAtTime(0.001, start + 0.15);
      note.connect(level).connect(sound.destination);
      note.start(start);
      note.stop(start + 0.16);
    });
  }
}
