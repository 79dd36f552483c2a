// The sounds of norn: of dice, and of being called.
let audio;

// begin is the time of a sound that is made now; browsers keep silent until the reader does something.
function begin() {
  if (!navigator.userActivation?.hasBeenActive) return 0;
  audio ??= new AudioContext();
  audio.resume();
  return audio.currentTime;
}

// bell is somebody being called: two soft notes, the second a fourth higher.
export function bell() {
  const now = begin();
  if (!audio) return;
  for (const [i, pitch] of [587, 784].entries()) {
    const at = now + 0.14 * i;
    const note = audio.createOscillator();
    const volume = audio.createGain();
    note.type = "sine";
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.08, at + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
    note.connect(volume).connect(audio.destination);
    note.start(at);
    note.stop(at + 0.5);
  }
}

// knock is a die on wood, after so many seconds: a short, damped tap, made here.
export function knock(after) {
  const at = begin() + after;
  if (!audio) return;
  const tap = audio.createOscillator();
  const volume = audio.createGain();
  tap.type = "triangle";
  tap.frequency.setValueAtTime(700 + 500 * Math.random(), at);
  tap.frequency.exponentialRampToValueAtTime(160, at + 0.05);
  volume.gain.setValueAtTime(0.12, at);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.07);
  tap.connect(volume).connect(audio.destination);
  tap.start(at);
  tap.stop(at + 0.08);
}
