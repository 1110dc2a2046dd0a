using System.Runtime.InteropServices;

namespace BufferedMessages.Sessions;

/// <summary>The bare system call, between processes.</summary>
internal static unsafe partial class Futex
{
    private const int WaitOperation = 0;
    private const int WakeOperation = 1;

    public static bool IsSupported { get; } =
        OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture is Architecture.X64 or Architecture.Arm64;

    private static nint Number { get; } = RuntimeInformation.ProcessArchitecture == Architecture.X64 ? 202 : 98;

    /// <summary>Sleeps while the word holds a value; may return early.</summary>
    public static void Wait(uint* word, uint value) => _ = Call(Number, word, WaitOperation, value, null);

    public static void Wake(uint* word) => _ = Call(Number, word, WakeOperation, 1, null);

    [LibraryImport("libc", EntryPoint = "syscall")]
    private static partial nint Call(nint number, uint* word, nint operation, nuint value, void* timeout);
}
