//! Arbitrary bytes as a list of kernel records: unchanged, and as records of this machine. Samples may fail
//! to decode, and decoded ones must not create connections without bound.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tcpwhy_watch::{KernelWitness, LiveHost};
use tcpwhy_live::recording::{ListWriter, Record, Records};

fn take(list: &[u8]) {
    let Ok(records) = Records::of(list) else { return };
    let mut host = LiveHost::with_intervals();
    for record in records {
        match record {
            Record::Sample(sample) => {
                if let Some(sample) = sample.decode() {
                    host.observe(sample);
                }
            }
            Record::Process(key, process) => host.assign(key, process),
            Record::Locks(key, locks) => host.lock(key, locks),
            Record::Asked(namespace, began) => host.sweep(namespace, began),
            Record::Gone(key) => host.forget(key),
            Record::Host(_) | Record::Effort(_) => {}
        }
    }
    let mut witness = KernelWitness::default();
    witness.add(host);
}

fuzz_target!(|bytes: &[u8]| {
    take(bytes);
    let mut list = ListWriter::default().take();
    list.extend(bytes);
    take(&list);
});
