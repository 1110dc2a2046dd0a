using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BufferedMessages;

/// <summary>Extensions of spans that distinguish null from empty, for the members that a view gives as spans.</summary>
public static class SpanExtensions
{
    extension<T>(ReadOnlySpan<T> span)
    {
        /// <summary>Gets whether the binary or the list is null in the message. An empty one is not null.</summary>
        public bool IsNull => Unsafe.IsNullRef(ref MemoryMarshal.GetReference(span));
    }
}
