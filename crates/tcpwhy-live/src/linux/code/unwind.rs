//! From one call to the one that made it: by the tables that every program brings for its exceptions (`.eh_frame`; System V ABI),
//! where there are none by frame pointers. Only rules of the form "so many bytes from a register" are followed: others are rare,
//! and may be programs without an end.

use std::sync::Arc;

use gimli::{
    BaseAddresses, CfaRule, EhFrame, EhFrameHdr, LittleEndian, Register, RegisterRule, UnwindContext,
    UnwindSection as _,
};
use tcpwhy_model::live::UserStack;

use super::module::Module;

/// Numbers of registers in these tables: stack pointer, frame pointer, where a call returns to.
#[cfg(target_arch = "x86_64")]
const REGISTERS: [Register; 3] = [gimli::X86_64::RSP, gimli::X86_64::RBP, gimli::X86_64::RA];
#[cfg(not(target_arch = "x86_64"))]
const REGISTERS: [Register; 3] = [gimli::AArch64::SP, gimli::AArch64::X29, gimli::AArch64::X30];

/// Bits of an address; those above may sign it (pointer authentication of aarch64).
#[cfg(target_arch = "x86_64")]
const ADDRESS: u64 = u64::MAX;
#[cfg(not(target_arch = "x86_64"))]
const ADDRESS: u64 = (1 << 48) - 1;

/// Where a call is: its stack and frame pointers, and where it returns to, if that is in a register.
#[derive(Clone, Copy, Debug)]
struct Frame {
    sp: u64,
    bp: u64,
    lr: Option<u64>,
}

/// Gives the address of each call, the innermost first, as long as `each` wants more. `module` finds the file of the code at an
/// address, and where it lies: where in memory its part from an offset on begins.
pub(super) fn each_call(
    stack: &UserStack,
    mut module: impl FnMut(u64) -> Option<(Arc<Module>, u64, u64)>,
    mut each: impl FnMut(u64) -> bool,
) {
    let mut frame = Frame { sp: stack.sp, bp: stack.bp, lr: Some(stack.lr & ADDRESS).filter(|lr| *lr != 0) };
    let mut address = stack.ip;
    while each(address) {
        let known = module(address).and_then(|(module, start, offset)| {
            let address = module.address(start, offset, address)?;
            by_table(&module, address, frame, stack)
        });
        let Some((caller, return_to)) = known.unwrap_or_else(|| by_frame_pointer(frame, stack)) else { return };
        // Stacks grow downwards: whoever called is further up. Only a function that has no frame yet is on the same place.
        if caller.sp < frame.sp || (caller.sp == frame.sp && frame.lr.is_none()) {
            return;
        }
        frame = caller;
        // It returns behind the call.
        let Some(call) = return_to.checked_sub(1) else { return };
        address = call;
    }
}

/// A word of the stack.
fn word(stack: &UserStack, address: u64) -> Option<u64> {
    let at = usize::try_from(address.checked_sub(stack.sp)?).ok()?;
    stack.bytes.get(at..at.checked_add(8)?)?.try_into().ok().map(u64::from_le_bytes)
}

/// Whoever called, and where the call returns to; `None` where the table does not know this code, `Some(None)` where it says that
/// nobody did, or what cannot be followed.
#[allow(clippy::option_option, reason = "not known is not the same as nobody")]
fn by_table(module: &Module, address: u64, frame: Frame, stack: &UserStack) -> Option<Option<(Frame, u64)>> {
    let [index, frames] = module.frames.as_ref()?;
    let mut bases = BaseAddresses::default().set_eh_frame_hdr(index.address).set_eh_frame(frames.address);
    if let Some(text) = module.bases[0] {
        bases = bases.set_text(text);
    }
    if let Some(got) = module.bases[1] {
        bases = bases.set_got(got);
    }
    let index = EhFrameHdr::new(&index.bytes, LittleEndian).parse(&bases, 8).ok()?;
    let frames = EhFrame::new(&frames.bytes, LittleEndian);
    let entry = index.table()?.fde_for_address(&frames, &bases, address, EhFrame::cie_from_offset).ok()?;
    let mut context = UnwindContext::new();
    let row = entry.unwind_info_for_address(&frames, &bases, &mut context, address).ok()?;
    let [sp, bp, ra] = REGISTERS;
    let CfaRule::RegisterAndOffset { register, offset } = row.cfa() else { return Some(None) };
    let base = match *register {
        register if register == sp => frame.sp,
        register if register == bp => frame.bp,
        _ => return Some(None),
    };
    let cfa = base.wrapping_add_signed(*offset);
    let saved = |register: Register, held: Option<u64>| match row.register(register) {
        Some(RegisterRule::Offset(offset)) => word(stack, cfa.wrapping_add_signed(offset)),
        None | Some(RegisterRule::SameValue) => held,
        // So the outermost call is marked: it returns nowhere.
        _ => None,
    };
    let Some(return_to) = saved(ra, frame.lr) else { return Some(None) };
    let caller = Frame { sp: cfa, bp: saved(bp, Some(frame.bp)).unwrap_or_default(), lr: None };
    Some(Some((caller, return_to & ADDRESS)))
}

/// The same where every function keeps the frame pointer of whoever called it, and where it returns to.
fn by_frame_pointer(frame: Frame, stack: &UserStack) -> Option<(Frame, u64)> {
    if frame.bp < frame.sp {
        return None;
    }
    let return_to = word(stack, frame.bp.checked_add(8)?)? & ADDRESS;
    let caller = Frame { sp: frame.bp.checked_add(16)?, bp: word(stack, frame.bp)?, lr: None };
    Some((caller, return_to))
}
