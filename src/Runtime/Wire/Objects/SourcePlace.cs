using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages.Wire;

/// <summary>
/// The place of a value of the source, without its type. The runtime shares the code of a generic method between all classes, and such code
/// looks up at every call which method it calls. Code that only passes places along depends on no class, so its calls are direct. For generated code.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct SourcePlace
{
    private readonly ref byte _start;

    internal SourcePlace(ref byte start) => _start = ref start;

    /// <summary>Gets the value.</summary>
    /// <typeparam name="T">The type that the value has. Nothing checks it: the constraints of the methods that take a block pair it with its source.</typeparam>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Get<T>(out T value) => value = Get<T>();

    /// <inheritdoc cref="Get{T}(out T)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal T Get<T>() => Unsafe.As<byte, T>(ref _start);

    /// <summary>The place of a value.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static SourcePlace Of<T>(ref readonly T value) => new(ref Unsafe.As<T, byte>(ref Unsafe.AsRef(in value)));
}

/// <summary>The places of consecutive values of the source, without their type. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly ref struct SourcePlaces
{
    private readonly ref byte _start;
    private readonly int _count;

    private SourcePlaces(ref byte start, int count)
    {
        Debug.Assert(count >= 0, "A span has no negative length.");
        _start = ref start;
        _count = count;
    }

    /// <summary>Number of values.</summary>
    internal int Count => _count;

    /// <summary>The places of the elements of a span.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static SourcePlaces Of<T>(ReadOnlySpan<T> values) => new(ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(values)), values.Length);

    /// <summary>The values.</summary>
    /// <typeparam name="T">The type that they have. Nothing checks it.</typeparam>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ReadOnlySpan<T> As<T>() => MemoryMarshal.CreateReadOnlySpan(ref Unsafe.As<byte, T>(ref _start), _count);
}
