// The sound of dice.
let audio;

// knock is a die on wood, after so many seconds: a short, damped tap, made here.
export function knock(after) {
  if (!navigator.userActivation?.hasBeenActive) return; // browsers keep silent until the reader does something
  audio ??= new AudioContext();
  audio.resume();
  const at = audio.currentTime + after;
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
