using System.Globalization;

namespace BufferedMessages.Caching;

/// <summary>
/// The exception for an owner of a shared cache that takes another version of changes than this program knows. It was asked nothing. It has a type of its own because a serializer may throw a
/// <see cref="NotSupportedException"/> too.
/// </summary>
internal sealed class NewerOwnerException(string file, OwnerNote note) : NotSupportedException(string.Create(
    CultureInfo.InvariantCulture,
    $"The owner of the cache takes changes of version {note.Version} with the features 0x{note.RequiredFeatures:X}, as '{file}' says; this program knows version {OwnerNote.KnownVersion} without features. ")
    + "Update the BufferedMessages.Caching package in all programs that share the cache.");
